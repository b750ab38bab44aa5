import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { eventList } from '#lib/contract/activity.ts';
import { decisionSeries, errorSeries, latencySeries, replicaSeries, tokenSeries } from '#lib/contract/series.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const SPAN = tokenSeries.pick({ window: true, period: true, from: true, to: true, bucket_seconds: true });
const SERIES = ['tokens', 'latency', 'decisions', 'errors', 'replicas', 'admission'] as const;

describe('the series of the console’s API', () => {
  let fleet: SimulatedFleet;
  let warden: TestWarden;

  beforeAll(async () => {
    fleet = await startSimulatedFleet({ replicas: 2, speed: 50 });
    warden = await startTestWarden({ fleets: [fleet] });
    const session = { 'x-claude-code-session-id': '6f1e5d52-3c1c-4c53-9b60-0e7c0e6e1f00' };
    const turn = {
      model: TEST_MODEL,
      max_tokens: 5,
      messages: [{ role: 'user', content: 'a long history '.repeat(300) }],
    };
    for (let sent = 0; sent < 3; sent += 1) await warden.post('/v1/chat/completions', turn, session);
    await warden.post('/v1/chat/completions', { ...turn, max_tokens: -1 }, session);
    await eventually(async () => expect(await warden.requests()).toHaveLength(4));
  });
  afterAll(async () => {
    await warden.close();
    await fleet.close();
  });

  const get = (path: string): Promise<Response> => fetch(`${warden.url}/api/${path}`);
  const read = async <T>(path: string, contract: z.ZodType<T>): Promise<T> =>
    contract.parse(await (await get(path)).json());

  it('count each request once by decision, and those that ended ill by kind and status', async () => {
    const decisions = await read(`stats/decisions?model=${TEST_MODEL}&window=15m`, decisionSeries);
    expect(decisions.totals).toMatchObject({ placed: 1, sticky: 3, spilled: 0 });
    expect(decisions.sticky_percent).toBe(100);
    expect(sum(decisions.buckets.map(({ requests }) => requests.sticky))).toBe(3);
    const errors = await read('stats/errors?window=1h', errorSeries);
    expect(errors.totals).toEqual({
      requests: 4,
      client_error: 1,
      engine_error: 0,
      upstream_failed: 0,
      client_left: 0,
    });
    expect(errors.statuses).toEqual([{ kind: 'client_error', status: 400, requests: 1 }]);
  });

  it('have the whole window’s numbers beside those of its bars', async () => {
    const tokens = await read('stats/tokens?window=24h', tokenSeries);
    expect(tokens.totals.requests).toBe(4);
    expect(tokens.totals.prompt_cached_tokens).toBe(sum(tokens.buckets.map((bucket) => bucket.prompt_cached_tokens)));
    expect(tokens.last_bucket_filling).toBe(true);
    const latency = await read('stats/latency?window=24h', latencySeries);
    expect(latency.totals.ttfb_seconds.count).toBe(3);
    expect(latency.totals.ttfb_seconds.p50).toEqual(
      latency.buckets.find(({ ttfb_seconds }) => ttfb_seconds.count === 3)?.ttfb_seconds.p50 ?? expect.any(Number),
    );
  });

  it('tell of each replica what its engine reported, as columns as long as the times', async () => {
    await eventually(async () => {
      const series = await read(`stats/replicas?model=${TEST_MODEL}&window=15m`, replicaSeries);
      expect(series.replicas.map(({ replica }) => replica)).toEqual([0, 1]);
      for (const replica of series.replicas) {
        expect(replica.kv_cache_usage_percent).toHaveLength(series.times.length);
        expect(replica.kv_cache_usage_percent.at(-1)).not.toBeNull();
        expect(replica.kv_cache_usage_percent[0]).toBeNull();
      }
      expect(series.replicas.some(({ totals }) => (totals.prefix_cache_hit_percent ?? 0) > 50)).toBe(true);
    });
  });

  it.each(SERIES)('%s: cover a stretch of time, and the period before it, in at most 120 bars', async (name) => {
    const to = new Date(Date.now() - 60_000).toISOString();
    const from = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const current = await read(`stats/${name}?from=${from}&to=${to}`, SPAN);
    expect(current).toMatchObject({ window: 'custom', period: 'current', bucket_seconds: 120 });
    const before = await read(`stats/${name}?from=${from}&to=${to}&period=previous`, SPAN);
    expect(before).toMatchObject({ period: 'previous', to: current.from, bucket_seconds: 120 });
    expect(Date.parse(before.to) - Date.parse(before.from)).toBe(Date.parse(current.to) - Date.parse(current.from));
  });

  it('have the events of a stretch of time', async () => {
    await warden.patchRouting({ affinity: false });
    await warden.patchRouting({ affinity: true });
    await eventually(async () => {
      const { events } = await read('events?window=15m', eventList);
      expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['affinity_off', 'affinity_on']));
    });
    const before = await read('events?window=15m&period=previous', eventList);
    expect(before.events).toEqual([]);
  });

  it.each([
    ['window=2h', 'window'],
    ['from=2026-01-01T00:00:00Z', 'to'],
    ['from=yesterday&to=2026-01-01T00:00:00Z', 'from'],
    ['from=2026-01-01T00:00:00&to=2026-01-02T00:00:00Z', 'from'],
    ['from=2020-01-01T00:00:00Z&to=2026-01-02T00:00:00Z', 'from'],
    ['from=2999-01-01T00:00:00Z&to=2999-01-02T00:00:00Z', 'from'],
    ['window=1h&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z', 'window'],
    ['window=1h&period=next', 'period'],
  ])('refuse %s, and name the field', async (query, field) => {
    for (const name of SERIES) {
      const answer = await get(`stats/${name}?${query}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ field, title: 'Invalid request' });
    }
  });

  it('refuse a stretch that ends before it begins', async () => {
    const now = Date.now();
    const query = `from=${new Date(now - 60_000).toISOString()}&to=${new Date(now - 120_000).toISOString()}`;
    expect(await (await get(`stats/tokens?${query}`)).json()).toMatchObject({ field: 'to' });
  });
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
