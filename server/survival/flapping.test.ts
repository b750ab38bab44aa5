import { afterEach, expect, it } from 'vitest';
import { alertList } from '#lib/contract/alerts.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL } from '#server/warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

it('an engine that dies and comes back again and again costs at most what it had under way at that moment', async () => {
  const options = { speed: 50, replicas: 1 };
  const steady = await startSimulatedFleet(options);
  const flapping = await startSimulatedFleet(options);
  const warden = await startTestWarden({ fleets: [steady, flapping] });
  closing.push(steady, flapping, warden);
  const statuses: number[] = [];
  let isOver = false;
  const converse = async (session: string): Promise<void> => {
    while (!isOver) {
      const body = { model: TEST_MODEL, max_tokens: 2, messages: [{ role: 'user', content: `${session} goes on` }] };
      const answer = await warden.post('/v1/chat/completions', body, { 'x-session-id': session });
      await answer.text();
      statuses.push(answer.status);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const conversations = ['a', 'b', 'c', 'd', 'e', 'f'].map(converse);
  const times = 8;
  for (let time = 0; time < times; time += 1) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    await flapping.restart();
  }
  isOver = true;
  await Promise.all(conversations);
  expect(statuses.length).toBeGreaterThan(50);
  // A turn that an engine died under is sent once more; one under which two died is not given to a third.
  const failed = statuses.filter((status) => status !== 200);
  expect(failed.every((status) => status === 502)).toBe(true);
  expect(failed.length).toBeLessThan(times);
  await eventually(async () => {
    const { replicas, totals } = await warden.routing();
    expect(replicas.map(({ health }) => health)).toEqual(['up', 'up']);
    expect(totals.in_flight).toBe(0);
  }, 10_000);
  const { alerts } = alertList.parse(await (await fetch(`${warden.url}/api/alerts`)).json());
  expect(alerts.filter(({ code }) => code === 'engine_down')).toEqual([]);
});
