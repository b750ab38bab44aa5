import { afterEach, expect, it } from 'vitest';
import { admission, heldSessions, occupy, type SentTurn, SMALL_FLEET, sendTurn } from './crowd-for-tests.ts';
import { agreeWithEngines } from './fleet-counts-for-tests.ts';
import { everyone, type FleetOfProcesses, placeAll, startFleetOfProcesses } from './fleet-of-processes-for-tests.ts';
import { eventually } from './warden-for-tests.ts';
import { openStream, turn, type WardenProcess } from './warden-process-for-tests.ts';

const MINUTE_MS = 60_000;
/** By how much the three clocks are ahead of this machine's. */
const CLOCKS = [-7 * MINUTE_MS, 0, 11 * MINUTE_MS];

let fleet: FleetOfProcesses;
afterEach(() => fleet.close());

async function start(
  model: Readonly<Record<string, unknown>> = {},
): Promise<[WardenProcess, WardenProcess, WardenProcess]> {
  const wardens = await Promise.all(CLOCKS.map((clockAheadMs) => fleet.start({ clockAheadMs, model })));
  await everyone(wardens, true);
  const [behind, right, ahead] = wardens;
  if (behind === undefined || right === undefined || ahead === undefined) throw new Error('three wardens were started');
  // That the clocks are other ones indeed.
  await eventually(async () => {
    const { members } = await right.fleet();
    expect(members).toHaveLength(3);
    const startedAt = (url: string): number => Date.parse(members.find((one) => one.url === url)?.started_at ?? '');
    expect(startedAt(ahead.url) - startedAt(behind.url)).toBeGreaterThan(15 * MINUTE_MS);
  }, 10_000);
  return [behind, right, ahead];
}

it('wardens whose clocks differ by minutes share homes, counts and settings, and forget a dead one in time', async () => {
  fleet = await startFleetOfProcesses();
  const wardens = await start();
  const [behind, right, ahead] = wardens;
  for (const first of wardens) {
    for (const session of await placeAll([first], 10)) {
      const homes = await Promise.all(wardens.map((warden) => turn(warden, session)));
      expect(homes.map(({ decision }) => decision)).toEqual(['sticky', 'sticky', 'sticky']);
      expect(new Set(homes.map(({ replica }) => replica)).size).toBe(1);
    }
  }
  for (const [spill_threshold, by] of [
    [3, ahead],
    [4, behind],
    [5, right],
    [6, behind],
  ] as const) {
    await by.patchRouting({ spill_threshold });
    await eventually(async () => {
      for (const warden of wardens) expect((await warden.routing()).spill_threshold).toBe(spill_threshold);
    });
  }
  await Promise.all([behind, right, ahead, ahead].map(openStream));
  await agreeWithEngines(wardens, fleet.engines, 4);
  // Neither is taken for dead while it lives, though its clock says that it was silent for minutes.
  await new Promise((resolve) => setTimeout(resolve, 8000));
  for (const warden of wardens) expect((await warden.fleet()).members).toHaveLength(3);
  await agreeWithEngines(wardens, fleet.engines, 4);
  await ahead.kill();
  await agreeWithEngines([behind, right], fleet.engines, 2, 10_000);
  await behind.kill();
  await agreeWithEngines([right], fleet.engines, 1, 10_000);
}, 120_000);

it('keep one line of held turns, in the order in which they came', async () => {
  fleet = await startFleetOfProcesses(SMALL_FLEET, 1);
  const [behind, right, ahead] = await start({ cache_fit: true });
  const wardens = [behind, right, ahead];
  const running = await occupy(right, 3);
  for (const warden of wardens) {
    await eventually(async () =>
      expect((await admission(warden)).replicas[0]?.working_set_tokens).toBeGreaterThan(4500),
    );
  }
  const line: { readonly turn: SentTurn; readonly at: number }[] = [];
  for (const at of [2, 0, 1, 0]) {
    const warden = wardens[at] ?? right;
    line.push({ turn: sendTurn(warden, { answerTokens: 2000 }), at });
    await eventually(async () => expect((await heldSessions(warden)).at(-1)?.queue_position).toBe(line.length));
  }
  for (let next = line.shift(); next !== undefined; next = line.shift()) {
    running.shift()?.leave();
    // The one that came first, wherever it is held, has gone; the others have moved up.
    const waiting = wardens.map((_, at) => line.filter((one) => one.at === at).length);
    await eventually(async () => {
      expect(await Promise.all(wardens.map(async (warden) => (await admission(warden)).held))).toEqual(waiting);
      const places = (await Promise.all(wardens.map(heldSessions))).flat().map((one) => one.queue_position ?? 0);
      expect(places.sort((a, b) => a - b)).toEqual(line.map((_, index) => index + 1));
    }, 15_000);
    running.push(next.turn);
  }
  for (const turn of running) turn.leave();
}, 120_000);
