import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'playwright/test';
import { test } from './warden-test.ts';

/*
 * What the process itself prints, on stdout and stderr, while prompts, answers and keys go through it: on good ways and
 * bad ones, and when it crashes in the middle of them.
 */

const CANARIES = {
  prompt: 'canary-of-the-prompt',
  answer: 'canary-of-the-answer',
  engineError: 'canary-of-an-engine-error',
  session: '5e5510aa-cafe-4bad-8a1d-canary000001',
  key: 'lmw_canary-of-a-key',
  engineKey: 'canary-of-the-engine-key',
  password: 'canary-of-a-password',
  query: 'canary-of-the-query',
} as const;
const MODEL = 'a-model';
const BODY = {
  model: MODEL,
  max_tokens: 5,
  prompt: CANARIES.prompt,
  input: CANARIES.prompt,
  messages: [{ role: 'user', content: CANARIES.prompt }],
};

const found = (text: string): readonly string[] =>
  Object.entries(CANARIES)
    .filter(([, value]) => text.includes(value))
    .map(([name]) => name);

type Way = 'whole' | 'broken' | 'garbage' | 'cut' | 'open';

/** A vLLM that answers with what it was asked, in the way that is wanted. */
async function startEcho() {
  const engine = { way: 'whole' as Way, url: '', close: async () => {} };
  const server = createServer((req, res) => {
    const polls: Readonly<Record<string, string>> = {
      '/v1/models': JSON.stringify({ data: [{ id: MODEL }] }),
      '/version': JSON.stringify({ version: '0.28.0' }),
      '/metrics': 'vllm:num_requests_running{engine="0",model_name="m"} 0\n',
    };
    if (req.method === 'GET') return void res.end(polls[req.url ?? ''] ?? '');
    let body = '';
    req.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    req.on('end', () => {
      const echo = `${CANARIES.engineError} ${CANARIES.answer} ${body}`;
      if (engine.way === 'whole') res.end(JSON.stringify({ content: CANARIES.answer }));
      else if (engine.way === 'broken') res.writeHead(500).end(echo);
      else if (engine.way === 'garbage') res.socket?.end(`HTTP/1.1 200 ${echo}\r\n${echo}\r\n\r\n`);
      else {
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write(`data: {"delta":"${CANARIES.answer}"}\n\n`);
        if (engine.way === 'cut') setTimeout(() => res.socket?.destroy(), 20);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  engine.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  engine.close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return engine;
}

const preload = `--import=${new URL('crash-preload.mjs', import.meta.url).href}`;

async function send(url: string, path: string, body: unknown): Promise<number> {
  const answer = await fetch(`${url}${path}?q=${CANARIES.query}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': CANARIES.key,
      'x-session-id': CANARIES.session,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  await answer.text().catch(() => '');
  return answer.status;
}

for (const level of ['debug', 'silent']) {
  test(`nothing of what is said is printed, on good ways and bad (log level ${level})`, async ({ start, config }) => {
    const engine = await startEcho();
    const file = config(
      `models:\n  - name: ${MODEL}\n    api_key: ${CANARIES.engineKey}\n    replicas:\n      - url: ${engine.url}\n`,
    );
    const warden = await start({ WARDEN_CONFIG: file.path, WARDEN_LOG_LEVEL: level });
    await expect(async () => expect((await fetch(`${warden.url}/readyz`)).status).toBe(200)).toPass();
    const statuses: number[] = [];
    for (const way of ['whole', 'broken', 'garbage', 'cut'] as const) {
      engine.way = way;
      for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/responses']) {
        statuses.push(await send(warden.url, path, { ...BODY, stream: way === 'cut' }));
      }
    }
    statuses.push(
      await send(warden.url, '/v1/messages', `{"model":"${MODEL}","messages":[{"content":"${CANARIES.prompt}`),
    );
    statuses.push(await send(warden.url, '/api/session', { name: 'admin', password: CANARIES.password }));
    statuses.push(await send(warden.url, `/v1/${CANARIES.query}`, BODY));
    expect(statuses).toEqual(expect.arrayContaining([200, 500, 502, 400, 404]));
    // On the good way out, too: what is saved and closed may complain.
    await warden.stop();
    expect(warden.output()).toContain('console and router on');
    expect(found(warden.output())).toEqual([]);
    await engine.close();
  });
}

for (const by of ['exception', 'rejection'] as const) {
  for (const level of ['info', 'silent']) {
    test(`an error that nobody handles (${by}) tells where it was, and nothing of what is said (log level ${level})`, async ({
      start,
      config,
    }) => {
      const engine = await startEcho();
      const file = config(`models:\n  - name: ${MODEL}\n    replicas:\n      - url: ${engine.url}\n`);
      const env = { WARDEN_CONFIG: file.path, WARDEN_LOG_LEVEL: level, NODE_OPTIONS: preload, CRASH_BY: by };
      const warden = await start(env);
      await expect(async () => expect((await fetch(`${warden.url}/readyz`)).status).toBe(200)).toPass();
      // Next has put its own listeners up by then.
      expect((await fetch(`${warden.url}/settings`)).status).toBe(200);
      expect(await send(warden.url, '/v1/chat/completions', BODY)).toBe(200);
      // In the middle of a request.
      engine.way = 'open';
      const open = send(warden.url, '/v1/chat/completions', { ...BODY, stream: true }).catch(() => 0);
      await expect(async () => {
        const { models } = await (await fetch(`${warden.url}/api/models`)).json();
        expect(models[0].in_flight).toBe(1);
      }).toPass();

      warden.signal('SIGUSR2');
      await expect(async () => expect(warden.output()).toMatch(/nobody handled/)).toPass();
      expect(warden.output()).toContain('crash-preload.mjs');
      expect(warden.output()).toContain('SyntaxError');
      if (by === 'rejection') {
        expect((await fetch(`${warden.url}/healthz`)).status).toBe(200);
        await warden.stop();
      } else {
        await open;
        await expect(fetch(`${warden.url}/healthz`)).rejects.toThrow();
        expect(await warden.stop()).toBe(1);
      }
      expect(found(warden.output())).toEqual([]);
      await engine.close();
      await open;
    });
  }
}

test('the crash of this test would be printed whole by Node itself', async () => {
  const code = `process.emit('SIGUSR2')`;
  const preloaded = fileURLToPath(new URL('crash-preload.mjs', import.meta.url));
  let printed = '';
  try {
    execFileSync(process.execPath, ['--import', preloaded, '-e', code], { stdio: 'pipe' });
  } catch (error) {
    printed = String(error instanceof Error && 'stderr' in error ? error.stderr : error);
  }
  expect(printed).toContain('could not handle nothing was sent yet');
});
