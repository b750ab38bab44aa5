import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type OddEngine, startOddEngine } from './odd-engine-for-tests.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const body = { model: TEST_MODEL, max_tokens: 2, messages: [{ role: 'user', content: 'hi' }] };
const post = (warden: TestWarden, pin: number | null, signal?: AbortSignal) =>
  warden.post('/v1/chat/completions', body, pin === null ? {} : { 'x-data-parallel-rank': String(pin) }, signal);

async function startEngine(options: { port?: number; replicas?: number } = {}): Promise<SimulatedFleet> {
  const engine = await startSimulatedFleet({ speed: 5, replicas: 1, ...options });
  closing.push(() => engine.close());
  return engine;
}

async function startWarden(fleets: readonly Pick<SimulatedFleet, 'url'>[], more: object = {}): Promise<TestWarden> {
  const warden = await startTestWarden({ fleets, ...more });
  closing.push(() => warden.close());
  await eventually(async () => expect((await warden.routing()).health).toBe('up'));
  return warden;
}

/** Counts what the router sends to an engine, or tries to: each request that is not one of its polls. */
function countAttempts(url: string): () => number {
  let count = 0;
  const onCreate = (message: unknown): void => {
    const { request } = message as { request: { origin: string; method: string } };
    if (request.origin === url && request.method === 'POST') count += 1;
  };
  subscribe('undici:request:create', onCreate);
  closing.push(() => unsubscribe('undici:request:create', onCreate));
  return () => count;
}

/** The names of the warnings that Node gives meanwhile, such as that of listeners which are never taken off. */
function hearWarnings(): string[] {
  const names: string[] = [];
  const onWarning = ({ name }: Error): void => void names.push(name);
  process.on('warning', onWarning);
  closing.push(() => process.off('warning', onWarning));
  return names;
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));

/** As an editor and `systemctl reload` do. */
function reconfigure(warden: TestWarden, urls: readonly string[]): void {
  const path = join(warden.dataDir, 'warden.yaml');
  const { models, ...rest } = parse(readFileSync(path, 'utf8')) as { models: object[] };
  writeFileSync(path, stringify({ ...rest, models: [{ ...models[0], replicas: urls.map((url) => ({ url })) }] }));
  process.kill(process.pid, 'SIGHUP');
}

const urlsOf = async (warden: TestWarden) => (await warden.routing()).replicas.map(({ url }) => url);

describe('a request that its client pinned to a replica that is down', () => {
  it('waits for that one without asking it again and again, while the others serve', async () => {
    const [up, down] = [await startEngine(), await startEngine()];
    const warden = await startWarden([up, down]);
    const attempts = countAttempts(down.url);
    const warnings = hearWarnings();
    const port = Number(new URL(down.url).port);
    await down.close();

    const pinned = post(warden, 1);
    await seconds(1.5);
    expect((await post(warden, null)).status).toBe(200);
    expect(attempts()).toBeLessThan(12);
    await startEngine({ port });
    const answer = await pinned;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-warden-decision')).toBe('client_pinned');
    expect(answer.headers.get('x-warden-replica')).toBe('1');
    expect(warnings).toEqual([]);
  });

  it('is told which replica is away once it has waited long enough', async () => {
    const [up, down] = [await startEngine(), await startEngine()];
    const warden = await startWarden([up, down], { config: { limits: { engine_away_seconds: 1 } } });
    await down.close();
    const answer = await post(warden, 1);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain(`Replica 1 of ${TEST_MODEL}, which the request names, is not up`);
  });

  it('ends with its client', async () => {
    const [up, down] = [await startEngine(), await startEngine()];
    const warden = await startWarden([up, down]);
    const attempts = countAttempts(down.url);
    await down.close();
    const left = new AbortController();
    const pinned = post(warden, 1, left.signal).catch(() => 'left');
    await eventually(() => expect(attempts()).toBeGreaterThan(0));
    left.abort();
    expect(await pinned).toBe('left');
    await eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(0));
    const before = attempts();
    await seconds(0.6);
    expect(attempts()).toBe(before);
  });
});

describe('an engine whose polls are well while it takes no new connection', () => {
  it('is not asked without a pause, though it is the best there is', async () => {
    const resets: OddEngine['onInference'] = (req) => void req.socket.resetAndDestroy();
    const [away, odd] = [await startEngine(), await startOddEngine(resets, 1)];
    const warden = await startWarden([away, odd.engine]);
    closing.push(() => odd.engine.close());
    await away.close();
    for (let count = 0; count < 3; count += 1) await post(warden, null);
    odd.takesNoConnection();
    const attempts = countAttempts(odd.engine.url);
    const left = new AbortController();
    const waiting = post(warden, null, left.signal).catch(() => 'left');
    await seconds(1.5);
    left.abort();
    await waiting;
    expect(attempts()).toBeGreaterThan(1);
    expect(attempts()).toBeLessThan(20);
  });
});

describe('a replica that has left', () => {
  it('is no number to pin to, and the message names those that are there', async () => {
    const engines = [await startEngine(), await startEngine(), await startEngine()];
    const [a = '', , c = ''] = engines.map(({ url }) => url);
    const warden = await startWarden(engines);
    reconfigure(warden, [a, c]);
    await eventually(async () => expect(await urlsOf(warden)).toEqual([a, c]));
    const gap = await post(warden, 1);
    expect(gap.status).toBe(400);
    expect(await gap.text()).toContain('has the replicas 0, 2.');
    expect((await post(warden, 2)).headers.get('x-warden-replica')).toBe('2');
    expect((await warden.requests()).every(({ replica }) => replica !== 1)).toBe(true);
  });

  it('is not waited for by a request that is pinned to it', async () => {
    const [up, leaves] = [await startEngine(), await startEngine()];
    const warden = await startWarden([up, leaves]);
    const attempts = countAttempts(leaves.url);
    await leaves.close();
    const pinned = post(warden, 1);
    await eventually(() => expect(attempts()).toBeGreaterThan(0));
    reconfigure(warden, [up.url]);
    expect((await pinned).status).toBe(503);
  });

  it('gets no request though the router does not choose, where it was the first one configured', async () => {
    const old = await startEngine({ replicas: 2 });
    const next = await startEngine({ replicas: 2 });
    const warden = await startWarden([old], {
      config: { limits: { engine_away_seconds: 0 } },
      model: { affinity: false },
    });
    expect((await post(warden, null)).status).toBe(200);
    reconfigure(warden, [old.url, next.url]);
    await eventually(async () => expect((await warden.routing()).replicas).toHaveLength(4));
    await eventually(async () => expect((await warden.routing()).health).toBe('up'));
    reconfigure(warden, [next.url]);
    await eventually(async () => expect(new Set(await urlsOf(warden))).toEqual(new Set([next.url])));
    const attempts = [countAttempts(old.url), countAttempts(next.url)];
    await old.close();
    for (const affinity of [false, true]) {
      await warden.patchRouting({ affinity });
      const answer = await post(warden, null);
      expect(answer.status).toBe(200);
    }
    const embedding = await warden.post('/v1/embeddings', { model: TEST_MODEL, input: 'hi' });
    expect(embedding.status).not.toBe(503);
    expect(attempts.map((count) => count())).toEqual([0, 3]);
  });
});
