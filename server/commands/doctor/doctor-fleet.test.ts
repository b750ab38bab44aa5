import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { startRedis } from '#scripts/start-redis.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden } from '#server/warden-for-tests.ts';
import { examine } from './doctor.ts';
import { checkShared } from './shared-checks.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lm-warden-doctor-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function engine(): Promise<string> {
  const fleet = await startSimulatedFleet({ speed: 50, replicas: 2 });
  closing.push(() => fleet.close());
  return fleet.url;
}

async function redisOf(...settings: readonly string[]) {
  const redis = await startRedis(settings);
  closing.push(() => redis.close());
  return redis;
}

/** What doctor finds with these variables, and with this configuration where one is given. */
async function examined(env: Readonly<Record<string, string>>, models?: readonly object[]) {
  const folder = scratch();
  const config = join(folder, 'warden.yaml');
  if (models !== undefined) writeFileSync(config, stringify({ models }));
  const findings = await examine({
    env: {
      WARDEN_DATA_DIR: join(folder, 'data'),
      WARDEN_PORT: '0',
      ...(models === undefined ? { WARDEN_UPSTREAM: 'http://127.0.0.1:9' } : { WARDEN_CONFIG: config }),
      ...env,
    },
    consoleUrl: null,
    withRequests: false,
  });
  return (check: string) => findings.filter((finding) => finding.check.startsWith(check));
}

describe('doctor, for models whose replicas are discovered', () => {
  it('finds them and examines each, beside those that are listed', async () => {
    const [one, two] = [await engine(), await engine()];
    const file = join(scratch(), 'replicas.yaml');
    writeFileSync(file, `- ${one}\n- ${two}\n`);
    const of = await examined({}, [{ name: 'a', replicas: [{ url: one }], discover: { file } }]);
    expect(of('discovery for a')).toMatchObject([{ state: 'ok', found: expect.stringContaining(two) }]);
    for (const url of [one, two]) expect(of(`models of ${url}`)).toMatchObject([{ state: 'ok' }]);
    expect(of(`metrics of ${two}`).map(({ state }) => state)).not.toContain('bad');
  });

  it('says of one that was found and does not answer what it says of one that is listed', async () => {
    const file = join(scratch(), 'replicas.yaml');
    writeFileSync(file, '- http://127.0.0.1:9\n');
    const of = await examined({}, [{ name: 'a', discover: { file } }]);
    expect(of('models of http://127.0.0.1:9')).toMatchObject([{ state: 'bad' }]);
  });

  it('says why none is found, and what to look at', async () => {
    const empty = join(scratch(), 'empty.yaml');
    writeFileSync(empty, '[]\n');
    const of = await examined({}, [
      { name: 'nofile', discover: { file: '/does/not/exist.yaml' } },
      { name: 'empty', discover: { file: empty } },
      { name: 'dns', discover: { dns: 'no-such-host.invalid', port: 8000 } },
      { name: 'pod', discover: { kubernetes: { service: 'vllm' } } },
    ]);
    expect(of('discovery for nofile')).toMatchObject([{ state: 'bad', found: expect.stringContaining('ENOENT') }]);
    expect(of('discovery for empty')).toMatchObject([{ state: 'bad', found: expect.stringContaining('no replica') }]);
    expect(of('discovery for dns')).toMatchObject([{ state: 'bad', fix: expect.stringContaining('dig no-such-host') }]);
    expect(of('discovery for pod')).toMatchObject([{ state: 'bad', fix: expect.stringContaining('endpointslices') }]);
    expect(of('configuration')).toMatchObject([{ state: 'ok' }]);
  });
});

describe('doctor, for the memory that wardens share', () => {
  it('says nothing of it where none is named', async () => {
    expect((await examined({}))('shared memory')).toEqual([]);
  });

  it('reaches it, and tells its version, who shares it, and that the clocks agree', async () => {
    // A user that may what doctor says that it has to.
    const redis = await redisOf('user app on >pass ~warden:* &warden:* +@all -@dangerous +info');
    const url = redis.url.replace('redis://', 'redis://app:pass@');
    const warden = await startTestWarden({ fleets: [{ url: 'http://127.0.0.1:9' }], shared: url });
    closing.push(() => warden.close());
    await eventually(async () => {
      const all = (await examined({ WARDEN_SHARED: url }))('shared memory');
      expect(all.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
      expect(all.map(({ found }) => found)).toEqual([
        expect.stringMatching(/^(Redis|Valkey) \d+[.]/),
        'It can be written; 1 warden shares it.',
        'The clocks agree.',
      ]);
    }, 10_000);
  });

  it('says that it is not reached, wants a password or is not an address, and never a password', async () => {
    const nobody = (await examined({ WARDEN_SHARED: 'redis://me:secret@127.0.0.1:9' }))('shared memory');
    expect(nobody).toMatchObject([{ state: 'bad', found: expect.stringContaining('127.0.0.1:9 cannot be used') }]);
    const guarded = await redisOf('requirepass right');
    for (const user of ['', ':secret@']) {
      const url = guarded.url.replace('redis://', `redis://${user}`);
      const all = (await examined({ WARDEN_SHARED: url }))('shared memory');
      expect(all).toMatchObject([{ state: 'bad', found: expect.stringMatching(/NOAUTH|WRONGPASS/) }]);
      expect(JSON.stringify(all)).not.toContain('secret');
    }
    const odd = (await examined({ WARDEN_SHARED: 'http://somewhere' }))('shared memory');
    expect(odd).toMatchObject([{ state: 'bad', found: expect.stringContaining('WARDEN_SHARED must be redis://') }]);
  });

  it('warns of one that evicts homes, and says that it cannot be written where that is so', async () => {
    const evicting = await redisOf('maxmemory 100mb', 'maxmemory-policy allkeys-lru');
    const warned = (await examined({ WARDEN_SHARED: evicting.url }))('shared memory');
    expect(warned.at(-1)).toMatchObject({ state: 'warn', fix: expect.stringContaining('noeviction') });
    const reading = await redisOf('user default on nopass ~* &* -@all +@read +@connection +info +time');
    const all = (await examined({ WARDEN_SHARED: reading.url }))('shared memory');
    expect(all.find(({ state }) => state === 'bad')).toMatchObject({ found: expect.stringContaining('NOPERM') });
  });

  it('tells by how much its clock differs from that of this machine', async () => {
    const { url } = await redisOf();
    const clockAt = async (offMs: number) => (await checkShared(url, () => Date.now() + offMs))[2];
    expect(await clockAt(2000)).toMatchObject({ state: 'ok' });
    expect(await clockAt(600_000)).toMatchObject({ state: 'warn', found: expect.stringContaining('600 s behind') });
    expect(await clockAt(-60_000)).toMatchObject({ state: 'warn', found: expect.stringContaining('60 s ahead') });
  });
});

describe('doctor, for clocks', () => {
  /** The engine behind something that sends another Date, or none. */
  async function withDate(to: string, date: string | null): Promise<string> {
    const server = createServer((req, res) => {
      res.sendDate = false;
      const { method = 'GET', headers } = req;
      const asked = request(new URL(req.url ?? '/', to), { method, headers }, (answer) => {
        const { date: _theirs, ...others } = answer.headers;
        res.writeHead(answer.statusCode ?? 502, { ...others, ...(date !== null && { date }) });
        answer.pipe(res);
      });
      req.pipe(asked);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();

  it('tells by how much the clock of an engine differs, and says nothing where it tells none', async () => {
    const url = await engine();
    const [right, ahead, behind, silent] = await Promise.all(
      [inSeconds(0), inSeconds(90), inSeconds(-3600), null].map((date) => withDate(url, date)),
    );
    const of = await examined({ WARDEN_UPSTREAM: [right, ahead, behind, silent].join(',') });
    expect(of(`clock of ${right}`)).toMatchObject([{ state: 'ok' }]);
    expect(of(`clock of ${ahead}`)).toMatchObject([
      { state: 'warn', found: expect.stringMatching(/^Its clock is (8|9)\d s ahead[.]$/), fix: expect.any(String) },
    ]);
    expect(of(`clock of ${behind}`)).toMatchObject([
      { state: 'warn', found: expect.stringMatching(/^Its clock is 36\d\d s behind[.]$/) },
    ]);
    expect(of(`clock of ${silent}`)).toMatchObject([{ state: 'skipped' }]);
  });
});
