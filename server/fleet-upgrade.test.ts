import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agreeWithEngines } from './fleet-counts-for-tests.ts';
import {
  everyone,
  type FleetOfProcesses,
  keepPlaying,
  placeAll,
  startFleetOfProcesses,
} from './fleet-of-processes-for-tests.ts';
import { eventually } from './warden-for-tests.ts';
import { turn, type WardenProcess } from './warden-process-for-tests.ts';

let fleet: FleetOfProcesses;
let wardens: readonly WardenProcess[] = [];

beforeEach(async () => {
  fleet = await startFleetOfProcesses();
  wardens = await Promise.all([1, 2, 3].map(() => fleet.start()));
  await everyone(wardens, true);
}, 90_000);

afterEach(() => fleet.close());

it('an upgrade of three wardens, one after the other, fails no turn and loses no home', async () => {
  const sessions = await placeAll(wardens, 100);
  const homes = new Map<string, string | null>();
  for (const [index, session] of sessions.entries()) {
    homes.set(session, (await turn(wardens[index % 3] ?? fail(), session)).replica);
  }
  const { stop, turnover } = keepPlaying(sessions, () => wardens);
  const placedMeanwhile: string[] = [];
  for (const old of wardens) {
    const others = wardens.filter((warden) => warden !== old);
    // As with `preStop`: what sends requests hears of it before the warden does, and none is on its way there.
    wardens = others;
    await turnover();
    // Half a thousand tokens each: under way when it is told to end, and over well within the time that it is given.
    const last = sessions.slice(0, 4).map((session) => turn(old, session, 500));
    await eventually(async () => expect((await old.routing()).totals.in_flight).toBe(last.length));
    const ended = old.end();
    placedMeanwhile.push(...(await placeAll(others, 10)));
    for (const answered of await Promise.all(last)) expect(answered).toMatchObject({ status: 200, decision: 'sticky' });
    expect(await ended).toBe(0);
    const next = await fleet.start({ dataDir: old.dataDir });
    // From its first moment on it knows where all of them live, also those that it never met.
    for (const session of placedMeanwhile) expect(await turn(next, session)).toMatchObject({ decision: 'sticky' });
    wardens = [...others, next];
    await pause(500);
  }
  const { continuing, sticky, failed } = await stop();
  expect(failed).toBe(0);
  expect(continuing).toBeGreaterThan(100);
  expect(sticky).toBe(continuing);
  for (const warden of wardens) {
    for (const [session, replica] of homes) {
      expect(await turn(warden, session)).toEqual({ status: 200, decision: 'sticky', replica });
    }
  }
  await agreeWithEngines(wardens, fleet.engines, 0);
}, 300_000);

const fail = (): never => {
  throw new Error('three wardens were started');
};
