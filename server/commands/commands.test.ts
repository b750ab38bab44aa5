import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { auditList } from '#lib/contract/access.ts';
import { processStatus } from '#lib/contract/activity.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';
import { checkHost } from './doctor/host-checks.ts';
import { runCommand } from './run-command.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const migrationsDir = fileURLToPath(new URL('../../drizzle/migrations', import.meta.url));

/** Runs `lm-warden …` in a folder of its own, on a free port. */
async function command(args: readonly string[], env: Record<string, string | undefined> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lm-warden-command-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const used: Record<string, string | undefined> = { WARDEN_DATA_DIR: join(folder, 'data'), WARDEN_PORT: '0', ...env };
  let out = '';
  let complaints = '';
  let started = false;
  const code = await runCommand(args, {
    version: '1.2.3',
    migrationsDir,
    env: used,
    print: (text) => {
      out += `${text}\n`;
    },
    complain: (text) => {
      complaints += `${text}\n`;
    },
    start: async () => {
      started = true;
    },
  });
  return { code, out, complaints, started, env: used, folder };
}

async function fleet(options: Parameters<typeof startSimulatedFleet>[0]) {
  const started = await startSimulatedFleet({ speed: 50, replicas: 2, ...options });
  closing.push(() => started.close());
  return started;
}

/** Something between a client and an engine, as a gateway may be. */
async function proxy(to: string, handle: (req: IncomingMessage, res: ServerResponse, target: URL) => void) {
  const server = createServer((req, res) => handle(req, res, new URL(req.url ?? '/', to)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function wardenOf(url: string): Promise<TestWarden> {
  const warden = await startTestWarden({ fleets: [{ url }] });
  closing.push(() => warden.close());
  return warden;
}

/** The states of the findings of `check`, by `doctor --json`. */
async function diagnosis(...args: readonly string[]) {
  const { code, out } = await command(['doctor', '--json', ...args]);
  const { findings, ok } = JSON.parse(out) as {
    ok: boolean;
    findings: readonly { check: string; state: string; found: string; fix: string | null }[];
  };
  expect(code).toBe(ok ? 0 : 1);
  return { code, findings, of: (check: string) => findings.filter((finding) => finding.check.startsWith(check)) };
}

describe('lm-warden', () => {
  it('starts where no command is given, with flags in place of variables', async () => {
    const { started, code, env } = await command(['--port', '1234', '--upstream', 'http://gpu:8000'], {
      WARDEN_PORT: '9',
      WARDEN_CONFIG: 'somewhere.yaml',
    });
    expect({ started, code }).toEqual({ started: true, code: null });
    expect(env).toMatchObject({ WARDEN_PORT: '1234', WARDEN_UPSTREAM: 'http://gpu:8000' });
    expect(env.WARDEN_CONFIG).toBeUndefined();
  });

  it('says its version and how it is used', async () => {
    expect(await command(['--version'])).toMatchObject({ code: 0, out: '1.2.3\n', started: false });
    const { out } = await command(['--help']);
    for (const word of ['doctor', 'backup', 'restore', 'check-config', '--upstream', '--port'])
      expect(out).toContain(word);
  });

  it.each([[['--prot', '1']], [['launch']], [['backup']], [['doctor', 'now']], [['backup', 'one', 'two']]])(
    'refuses %j with how it is used',
    async (args) => {
      const { code, complaints, started } = await command(args);
      expect({ code, started }).toEqual({ code: 2, started: false });
      expect(complaints).toContain('Usage: lm-warden');
    },
  );

  it('reads a configuration and names the line that is wrong', async () => {
    const { folder } = await command(['--version']);
    const file = join(folder, 'warden.yaml');
    writeFileSync(file, 'models:\n  - name: a\n    replicas:\n      - url: http://a\n    spil_threshold: 3\n');
    expect(await command(['check-config', file])).toMatchObject({
      code: 1,
      complaints: `${file}:5: unknown key models[0].spil_threshold\n`,
    });
    writeFileSync(file, 'models:\n  - name: a\n    replicas:\n      - url: http://a\n');
    expect(await command(['check-config', file])).toMatchObject({ code: 0, complaints: '' });
    expect((await command(['check-config', join(folder, 'none.yaml')])).complaints).toContain('cannot read');
  });

  it('backs up a running warden, and restores what it backed up', async () => {
    const warden = await wardenOf((await fleet({})).url);
    await (await warden.post('/v1/completions', { model: TEST_MODEL, prompt: 'hi', max_tokens: 2 })).text();
    await eventually(async () => expect(await warden.requests()).toHaveLength(1));
    const { folder } = await command(['--version']);
    const file = join(folder, 'copy.db');
    const backup = await command(['backup', file, '--data', warden.dataDir]);
    expect(backup).toMatchObject({ code: 0, out: expect.stringContaining('1 requests') });
    const busy = await command(['restore', file, '--data', warden.dataDir]);
    expect(busy).toMatchObject({ code: 1, complaints: expect.stringContaining('in use by another LM Warden') });
    expect(busy.complaints).toContain('--at-next-start');
    const restored = await command(['restore', file, '--data', join(folder, 'new')]);
    expect(restored).toMatchObject({ code: 0, out: 'Restored 1 requests and 0 homes.\n' });
    expect(readFileSync(join(folder, 'new/warden.db')).subarray(0, 15).toString()).toBe('SQLite format 3');
  });
});

describe('lm-warden restore --at-next-start', () => {
  const warnings = async (url: string) =>
    processStatus.parse(await (await fetch(`${url}/api/status`)).json()).warnings.map(({ code }) => code);

  it('leaves a running warden as it is, and its next start with what was backed up', async () => {
    const warden = await wardenOf((await fleet({})).url);
    const turn = async () =>
      (await warden.post('/v1/completions', { model: TEST_MODEL, prompt: 'hi', max_tokens: 2 })).text();
    await turn();
    await eventually(async () => expect(await warden.requests()).toHaveLength(1));
    const { folder } = await command(['--version']);
    const file = join(folder, 'copy.db');
    await command(['backup', file, '--data', warden.dataDir]);
    const staged = await command(['restore', file, '--at-next-start', '--data', warden.dataDir]);
    expect(staged).toMatchObject({ code: 0, out: expect.stringContaining('sound: 1 requests') });
    expect(await warnings(warden.url)).toContain('restore_waits');
    await turn();
    await eventually(async () => expect(await warden.requests()).toHaveLength(2));
    await warden.restart();
    expect(await warden.requests()).toHaveLength(1);
    expect(await warnings(warden.url)).not.toContain('restore_waits');
    const { entries } = auditList.parse(await (await fetch(`${warden.url}/api/audit`)).json());
    expect(entries).toMatchObject([
      { actor: 'command line', role: 'system', action: 'database.restore', after: { requests: 1 } },
    ]);
    const kept = readdirSync(warden.dataDir).filter((name) => name.startsWith('warden.db.before-restore-'));
    expect(kept).toHaveLength(1);
    await warden.restart();
    expect(await warden.requests()).toHaveLength(1);
  });

  it('is called off by --cancel, and refuses what is no backup', async () => {
    const warden = await wardenOf((await fleet({})).url);
    const { folder } = await command(['--version']);
    const file = join(folder, 'copy.db');
    await command(['backup', file, '--data', warden.dataDir]);
    await command(['restore', file, '--at-next-start', '--data', warden.dataDir]);
    const data = ['--data', warden.dataDir];
    expect(await command(['restore', '--cancel', ...data])).toMatchObject({
      code: 0,
      out: expect.stringContaining('taken back'),
    });
    expect(await command(['restore', '--cancel', ...data])).toMatchObject({ code: 0, out: 'No backup waits.\n' });
    expect(await warnings(warden.url)).not.toContain('restore_waits');
    writeFileSync(file, 'no database at all'.repeat(500));
    expect(await command(['restore', file, '--at-next-start', ...data])).toMatchObject({ code: 1 });
    expect(await warnings(warden.url)).not.toContain('restore_waits');
    expect(await command(['restore', ...data])).toMatchObject({ code: 2 });
  });
});

describe('lm-warden doctor', () => {
  it('finds nothing wrong with a good engine, and makes nothing in the data folder', async () => {
    const { url } = await fleet({});
    const { code, out, env } = await command(['doctor', '--upstream', url]);
    expect(out).not.toContain('BAD');
    expect(code).toBe(0);
    expect(out).toMatch(/Nothing is wrong; \d worth knowing[.]\n$/);
    expect(out).toContain('The rank header is honoured (0 to 1).');
    expect(out).toMatch(/A prompt sent twice: \d+ of \d+ tokens came from the cache/);
    expect(existsSync(env.WARDEN_DATA_DIR ?? '')).toBe(false);
  });

  it('tells how to mend an engine that does not say what it had cached', async () => {
    const { url } = await fleet({ promptTokensDetails: false });
    const { of } = await diagnosis('--upstream', url);
    expect(of('cache')).toMatchObject([
      { state: 'bad', fix: expect.stringContaining('--enable-prompt-tokens-details') },
    ]);
  });

  it('notices that something in between drops the rank header', async () => {
    const { url } = await fleet({});
    const between = await proxy(url, (req, res, target) => {
      const { 'x-data-parallel-rank': _dropped, ...headers } = req.headers;
      req.pipe(
        request(target, { method: req.method ?? 'GET', headers }, (answer) => {
          res.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(res);
        }),
      );
    });
    const { of } = await diagnosis('--upstream', between);
    expect(of('pinning')).toMatchObject([{ state: 'bad', found: expect.stringContaining('ignored') }]);
  });

  it('says of an engine that does not answer, and of a wrong key, what to look at', async () => {
    const { url } = await fleet({ apiKey: 'secret' });
    const { of } = await diagnosis('--upstream', `http://127.0.0.1:9,${url}`);
    expect(of('models of http://127.0.0.1:9')).toMatchObject([{ state: 'bad' }]);
    expect(of(`models of ${url}`)).toMatchObject([{ state: 'bad', found: expect.stringMatching(/key|401/) }]);
    const { code } = await command(['doctor', '--upstream', url], { VLLM_API_KEY: 'secret' });
    expect(code).toBe(0);
  });

  it('notices a port that is taken by another program, and that LM Warden itself has it', async () => {
    const other = await proxy('http://127.0.0.1:9', (_req, res) => void res.end('another program'));
    const taken = await diagnosis('--port', new URL(other).port);
    expect(taken.of('port')).toMatchObject([{ state: 'bad', found: expect.stringContaining('another program') }]);
    const warden = await wardenOf('http://127.0.0.1:9');
    const own = await diagnosis('--port', new URL(warden.url).port);
    expect(own.of('port')).toMatchObject([{ state: 'ok', found: expect.stringContaining('LM Warden runs') }]);
  });

  it('checks each engine of a configuration, and its ranks', async () => {
    const { url } = await fleet({});
    const { folder } = await command(['--version']);
    const file = join(folder, 'warden.yaml');
    writeFileSync(
      file,
      `models:\n  - name: a\n    max_num_seqs: 8\n    replicas:\n      - url: ${url}\n        ranks: 3\n`,
    );
    const { of } = await diagnosis('--config', file);
    expect(of('metrics').map(({ state }) => state)).toContain('bad');
    writeFileSync(file, 'models: []\n');
    expect((await diagnosis('--config', file)).of('configuration')).toMatchObject([{ state: 'bad' }]);
  });

  it('sends a stream through LM Warden, and notices a proxy that collects it', async () => {
    const warden = await wardenOf((await fleet({ speed: 2 })).url);
    await eventually(async () => expect((await fetch(`${warden.url}/readyz`)).status).toBe(200));
    const direct = await diagnosis('--console', `${warden.url}/v1`);
    expect(direct.of('stream').map(({ state }) => state)).toEqual(['ok', 'ok']);
    const collecting = await proxy(warden.url, async (req, res, target) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      const headers = { 'content-type': 'application/json' };
      const init = req.method === 'POST' ? { method: 'POST', headers, body: Buffer.concat(chunks) } : {};
      const answer = await fetch(target, init);
      const body = await answer.text();
      res.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body);
    });
    const { of } = await diagnosis('--console', collecting);
    expect(of('stream').map(({ state }) => state)).toEqual(['warn', 'bad']);
    expect(of('stream')[1]?.fix).toContain('proxy_buffering off');
  });

  it('refuses an old Node', async () => {
    const [node] = await checkHost({ host: '127.0.0.1', port: 0, dataDir: tmpdir() }, '20.11.1');
    expect(node).toMatchObject({ check: 'node', state: 'bad', fix: expect.stringContaining('20.19') });
  });
});
