import { afterEach, beforeEach, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import {
  admission,
  heldSessions,
  occupy,
  queuedSeconds,
  type SentTurn,
  sendTurn,
  startSmallFleet,
  untilHeld,
} from './crowd-for-tests.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { eventually, startTestWarden, type TestWarden } from './warden-for-tests.ts';

let redis: TestRedis;
let fleet: SimulatedFleet;
let one: TestWarden;
let two: TestWarden;

beforeEach(async () => {
  redis = await startRedis();
  fleet = await startSmallFleet();
  const options = { fleets: [fleet], shared: redis.url, model: { cache_fit: true } };
  [one, two] = await Promise.all([startTestWarden(options), startTestWarden(options)]);
});

afterEach(async () => {
  await Promise.all([one.close(), two.close()]);
  await fleet.close();
  await redis.close();
});

/** Waits until `warden` knows that the others have filled the cache. */
const untilFull = (warden: TestWarden) =>
  eventually(async () => expect((await admission(warden)).replicas[0]?.working_set_tokens).toBeGreaterThan(4500));

const heldAt = async (warden: TestWarden) => (await admission(warden)).held;

/** The places in line of all that are held, wherever. */
async function places(): Promise<number[]> {
  const held = (await Promise.all([heldSessions(one), heldSessions(two)])).flat();
  return held.map(({ queue_position }) => queue_position ?? 0).sort((a, b) => a - b);
}

it('hold turns in one line for the room that is left on a replica, whichever warden they come to', async () => {
  const running = await occupy(one, 3);
  await untilFull(two);
  const line: { readonly turn: SentTurn; readonly warden: TestWarden }[] = [];
  for (const warden of [two, one, two]) {
    line.push({ turn: sendTurn(warden, { answerTokens: 2000 }), warden });
    await eventually(async () => expect((await heldSessions(warden)).at(-1)?.queue_position).toBe(line.length));
  }
  for (let next = line.shift(); next !== undefined; next = line.shift()) {
    running.shift()?.leave();
    await eventually(async () => expect(await places()).toEqual(line.map((_, index) => index + 1)), 15_000);
    const waitingAt = (warden: TestWarden) => line.filter((waiting) => waiting.warden === warden).length;
    expect([await heldAt(one), await heldAt(two)]).toEqual([waitingAt(one), waitingAt(two)]);
    running.push(next.turn);
  }
  for (const turn of running) turn.leave();
}, 90_000);

it('let the next turn of a conversation go home at once, at whichever warden it comes, and hold a new one', async () => {
  const running = await occupy(one, 3);
  await untilFull(two);
  const held = sendTurn(two);
  await untilHeld(two, 1);
  for (const { session } of running) {
    const next = sendTurn(two, { session });
    expect(await queuedSeconds(next)).toBe(0);
    expect((await next.answer).headers.get('x-warden-decision')).toBe('sticky');
  }
  expect(await heldAt(two)).toBe(1);
  for (const turn of [...running, held]) turn.leave();
}, 60_000);
