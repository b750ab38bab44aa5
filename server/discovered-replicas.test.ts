import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { processStatus } from '#lib/contract/activity.ts';
import { startTestDns } from './discovery/dns-for-tests.ts';
import { slice, startTestKubernetes } from './discovery/kubernetes-for-tests.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A warden that finds its replicas in a file. */
async function discovering(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'warden-replicas-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'replicas.yaml');
  const engines: SimulatedFleet[] = [];
  for (let index = 0; index < count; index += 1) {
    const engine = await startSimulatedFleet({ replicas: 1, speed: 5 });
    closing.push(() => engine.close());
    engines.push(engine);
  }
  // Sorted as the file is read, so that the numbers of the test are those of the warden.
  engines.sort((a, b) => (a.url < b.url ? -1 : 1));
  const list = (which: readonly SimulatedFleet[]) => writeFileSync(file, stringify(which.map(({ url }) => url)));
  const warden = (which: readonly SimulatedFleet[]) => {
    list(which);
    return startTestWarden({ fleets: [], model: { discover: { file } } });
  };
  return { engines, list, warden };
}

async function turn(warden: TestWarden, session: string, tokens = 2) {
  const answer = await warden.post(
    '/v1/chat/completions',
    { model: TEST_MODEL, max_tokens: tokens, messages: [{ role: 'user', content: session }] },
    { 'x-claude-code-session-id': session },
  );
  await answer.text();
  const { headers, status } = answer;
  return { status, replica: headers.get('x-warden-replica'), decision: headers.get('x-warden-decision') };
}

const urlsOf = async (warden: TestWarden) => (await warden.routing()).replicas.map(({ url }) => url);

describe('discovered replicas', () => {
  it('take new conversations as they appear, and move none', async () => {
    const { engines, list, warden: start } = await discovering(3);
    const warden = await start(engines.slice(0, 2));
    closing.push(() => warden.close());
    await eventually(async () => expect((await warden.routing()).replicas).toHaveLength(2));
    await eventually(async () => expect((await warden.routing()).health).toBe('up'));
    const sessions = Array.from({ length: 6 }, () => randomUUID());
    const homes = new Map<string, string | null>();
    for (const session of sessions) homes.set(session, (await turn(warden, session)).replica);
    list(engines);
    await eventually(async () => expect(await urlsOf(warden)).toHaveLength(3), 8_000);
    await eventually(async () => expect((await warden.routing()).health).toBe('up'), 8_000);
    for (const session of sessions) {
      expect(await turn(warden, session)).toMatchObject({ decision: 'sticky', replica: homes.get(session) });
    }
    const placed = await Promise.all([1, 2, 3].map(() => turn(warden, randomUUID())));
    expect(placed.map(({ replica }) => replica)).toContain('2');
  });

  it('drain and leave when they are gone from the directory, and their number is taken by the next', async () => {
    const { engines, list, warden: start } = await discovering(3);
    const [first, second, third] = engines;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three engines');
    const warden = await start([first, second]);
    closing.push(() => warden.close());
    await eventually(async () => expect((await warden.routing()).health).toBe('up'));
    const sessions = Array.from({ length: 4 }, () => randomUUID());
    for (const session of sessions) await turn(warden, session);
    const onFirst = (await warden.routing()).replicas[0]?.live_sessions ?? 0;
    expect(onFirst).toBeGreaterThan(0);

    const long = warden.post(
      '/v1/chat/completions',
      {
        model: TEST_MODEL,
        max_tokens: 900,
        ignore_eos: true,
        messages: [{ role: 'user', content: 'long' }],
        stream: true,
      },
      { 'x-data-parallel-rank': '0' },
    );
    const stream = await long;
    list([second]);
    await eventually(async () => {
      const { replicas } = await warden.routing();
      expect(replicas.find(({ url }) => url === first.url)).toMatchObject({ draining: true, in_flight: 1 });
    }, 8_000);
    for (const session of sessions) expect((await turn(warden, session)).replica).toBe('1');
    expect(await stream.text()).toContain('[DONE]');
    await eventually(async () => expect(await urlsOf(warden)).toEqual([second.url]), 8_000);
    expect((await warden.routing()).health).toBe('up');

    list([second, third]);
    await eventually(async () => expect(await urlsOf(warden)).toEqual([third.url, second.url]), 8_000);
    await eventually(async () => expect((await warden.routing()).health).toBe('up'), 8_000);
    for (const session of sessions)
      expect(await turn(warden, session)).toMatchObject({ decision: 'sticky', replica: '1' });
  }, 60_000);

  it('have their conversations again after a restart of the router, wherever they stand in the list then', async () => {
    const { engines, list, warden: start } = await discovering(4);
    const [first, second, third, fourth] = engines;
    if (!first || !second || !third || !fourth) throw new Error('four engines');
    const warden = await start([second, third, fourth]);
    closing.push(() => warden.close());
    const isWhole = (count: number) => async () => {
      expect((await warden.routing()).replicas.map(({ health }) => health)).toEqual(Array(count).fill('up'));
    };
    await eventually(isWhole(3));
    const homes = new Map<string, string | undefined>();
    const urlOf = async (replica: string | null) =>
      (await warden.routing()).replicas.find((one) => String(one.replica) === replica)?.url;
    for (let count = 0; count < 9; count += 1) {
      const session = randomUUID();
      homes.set(session, await urlOf((await turn(warden, session)).replica));
    }
    expect(new Set(homes.values()).size).toBe(3);
    const { placed } = (await warden.routing()).totals;
    // The one in the middle leaves, which leaves a gap in the numbers.
    list([second, fourth]);
    await eventually(async () => expect(await urlsOf(warden)).toEqual([second.url, fourth.url]), 8_000);

    for (const [more, isSame] of [
      [[], true],
      [[first], false],
    ] as const) {
      await warden.restart(0, () => list([...more, second, fourth]));
      await eventually(isWhole(2 + more.length), 8_000);
      for (const [session, url] of homes) {
        if (url === third.url) continue;
        const answered = await turn(warden, session);
        expect(answered.decision).toBe('sticky');
        expect(await urlOf(answered.replica)).toBe(url);
      }
      const { totals } = await warden.routing();
      expect(totals.placed > 0 && totals.placed < placed).toBe(isSame);
    }
  }, 60_000);

  it('say what is wrong with the directory', async () => {
    const warden = await startTestWarden({ fleets: [], model: { discover: { file: '/nowhere/replicas.yaml' } } });
    closing.push(() => warden.close());
    await eventually(async () => {
      const { warnings } = processStatus.parse(await (await fetch(`${warden.url}/api/status`)).json());
      expect(warnings).toContainEqual({
        code: 'discovery',
        message: expect.stringMatching(/^Replicas of qwen3-4b-dp4: the file .* cannot be asked/),
      });
    });
    expect((await turn(warden, randomUUID())).status).toBe(503);
  });
});

/** Two engines, and their ports. */
async function twoEngines() {
  const engines = await Promise.all([1, 2].map(() => startSimulatedFleet({ replicas: 1, speed: 5 })));
  for (const engine of engines) closing.push(() => engine.close());
  const [one, two] = engines.map(({ url }) => Number(new URL(url).port)).sort((a, b) => a - b);
  if (one === undefined || two === undefined) throw new Error('two engines were started');
  return [one, two] as const;
}

async function startDiscovering(discover: object, env: Readonly<Record<string, string>> = {}): Promise<TestWarden> {
  const warden = await startTestWarden({ fleets: [], model: { discover }, env });
  closing.push(() => warden.close());
  return warden;
}

const portsOf = async (warden: TestWarden) => (await urlsOf(warden)).map((url) => Number(new URL(url).port)).sort();

/** Conversations live on the first engine; they stay when the second appears, which gets new ones. */
async function takeInAnother(warden: TestWarden, appear: () => void, there: () => Promise<void>): Promise<string[]> {
  await eventually(async () => expect((await warden.routing()).health).toBe('up'), 10_000);
  const sessions = Array.from({ length: 4 }, () => randomUUID());
  for (const session of sessions) expect(await turn(warden, session)).toMatchObject({ decision: 'placed' });
  appear();
  await eventually(there, 10_000);
  await eventually(async () =>
    expect((await warden.routing()).replicas.map(({ health }) => health)).toEqual(['up', 'up']),
  );
  for (const session of sessions) expect(await turn(warden, session)).toMatchObject({ decision: 'sticky' });
  const placed = await Promise.all([1, 2, 3].map(() => turn(warden, randomUUID())));
  expect(placed.map(({ replica }) => replica)).toContain('1');
  return sessions;
}

describe('a running warden that asks a name server', () => {
  const service = '_http._tcp.vllm.test';
  const srv = (port: number): Answer => ({
    type: 'SRV',
    name: service,
    data: { target: 'localhost', port, priority: 1, weight: 1 },
  });

  it('takes in the engine of a new SRV record, and drains the one whose record is gone', async () => {
    const [one, two] = await twoEngines();
    const dns = await startTestDns(new Map([[`SRV ${service}`, [srv(one)]]]));
    closing.push(dns.close);
    const warden = await startDiscovering({ srv: service, refresh_seconds: 1, name_servers: [dns.server] });
    const sessions = await takeInAnother(
      warden,
      () => dns.records.set(`SRV ${service}`, [srv(one), srv(two)]),
      async () => expect(await portsOf(warden)).toEqual([one, two]),
    );
    dns.records.set(`SRV ${service}`, [srv(two)]);
    await eventually(async () => expect(await portsOf(warden)).toEqual([two]), 10_000);
    for (const session of sessions) expect(await turn(warden, session)).toMatchObject({ status: 200, replica: '1' });
  }, 60_000);

  it('takes every address of a name, and goes on with them while the name server is away', async () => {
    const [port] = await twoEngines();
    const dns = await startTestDns(new Map([['A vllm.test', [{ type: 'A', name: 'vllm.test', data: '127.0.0.1' }]]]));
    const warden = await startDiscovering({
      dns: 'vllm.test',
      port,
      refresh_seconds: 1,
      name_servers: [dns.server],
    });
    await eventually(async () => expect((await warden.routing()).health).toBe('up'), 10_000);
    dns.close();
    await eventually(async () => {
      const { warnings } = processStatus.parse(await (await fetch(`${warden.url}/api/status`)).json());
      expect(warnings.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/DNS vllm.test cannot be asked/),
      );
    }, 15_000);
    expect(await urlsOf(warden)).toEqual([`http://127.0.0.1:${port}`]);
    expect(await turn(warden, randomUUID())).toMatchObject({ status: 200, decision: 'placed' });
  }, 60_000);
});

describe('a running warden that watches a Kubernetes service', () => {
  it('takes in a pod that appears, drains one that terminates, and forgets it when it is deleted', async () => {
    const [one, two] = await twoEngines();
    const api = await startTestKubernetes();
    closing.push(api.close);
    const pod = [{ addresses: ['127.0.0.1'] }];
    api.state.slices = [slice('vllm-a', 10, pod, one)];
    const warden = await startDiscovering({ kubernetes: { service: 'vllm', port: 'http' } }, api.env);
    const sessions = await takeInAnother(
      warden,
      () => api.send('ADDED', slice('vllm-b', 11, pod, two)),
      async () => expect(await portsOf(warden)).toEqual([one, two]),
    );
    const stream = await warden.post(
      '/v1/completions',
      { model: TEST_MODEL, prompt: 'go', max_tokens: 600, ignore_eos: true, stream: true },
      { 'x-data-parallel-rank': '0' },
    );
    const terminating = [{ addresses: ['127.0.0.1'], conditions: { ready: false, terminating: true } }];
    api.send('MODIFIED', slice('vllm-a', 12, terminating, one));
    await eventually(async () => {
      const { replicas } = await warden.routing();
      expect(replicas.find(({ replica }) => replica === 0)).toMatchObject({ draining: true, in_flight: 1 });
    });
    for (const session of sessions) expect(await turn(warden, session)).toMatchObject({ status: 200, replica: '1' });
    api.send('DELETED', slice('vllm-a', 13, terminating, one));
    expect(await stream.text()).toContain('[DONE]');
    await eventually(async () => expect(await portsOf(warden)).toEqual([two]));
    for (const session of sessions) {
      expect(await turn(warden, session)).toMatchObject({ decision: 'sticky', replica: '1' });
    }
  }, 60_000);
});
