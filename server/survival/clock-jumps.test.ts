import { afterEach, expect, it, vi } from 'vitest';
import { alertList } from '#lib/contract/alerts.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL } from '#server/warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
  vi.useRealTimers();
});

const HOUR = 3_600_000;

it.each([
  ['an hour forward', HOUR],
  ['an hour back', -HOUR],
  ['two days back', -48 * HOUR],
])('a clock that jumps %s in the middle of a turn moves no conversation and breaks no figure', async (_what, by) => {
  const fleet = await startSimulatedFleet({ speed: 20, replicas: 2 });
  const warden = await startTestWarden({ fleets: [fleet], alertSenses: { everyMs: 50 } });
  closing.push(fleet, warden);
  const long = 'a line of a long conversation\n'.repeat(600);
  const turn = (): Promise<Response> => {
    const body = { model: TEST_MODEL, max_tokens: 20, messages: [{ role: 'user', content: long }] };
    return warden.post('/v1/chat/completions', body, { 'x-session-id': 'jumping' });
  };
  const first = await turn();
  await first.text();
  expect(first.headers.get('x-warden-decision')).toBe('placed');

  vi.useFakeTimers({ toFake: ['Date'] });
  const during = turn();
  vi.setSystemTime(Date.now() + by);
  for (const answer of [await during, await turn(), await turn()]) {
    await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-warden-decision')).toBe('sticky');
    expect(answer.headers.get('x-warden-replica')).toBe(first.headers.get('x-warden-replica'));
  }
  const rows = await eventually(async () => {
    const found = await warden.requests();
    expect(found).toHaveLength(4);
    return found;
  });
  for (const { duration_seconds, ttfb_seconds } of rows) {
    expect(duration_seconds).toBeGreaterThanOrEqual(0);
    expect(ttfb_seconds ?? 0).toBeGreaterThanOrEqual(0);
  }
  expect((await warden.routing()).totals.in_flight).toBe(0);
  const { alerts } = alertList.parse(await (await fetch(`${warden.url}/api/alerts`)).json());
  expect(alerts).toEqual([]);
});
