import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agreeWithEngines } from './fleet-counts-for-tests.ts';
import {
  everyone,
  type FleetOfProcesses,
  keepPlaying,
  type Played,
  placeAll,
  startFleetOfProcesses,
  stickyShare,
} from './fleet-of-processes-for-tests.ts';
import { eventually } from './warden-for-tests.ts';
import { openStream, turn, type WardenProcess } from './warden-process-for-tests.ts';

/** How long the shared memory is away. */
const AWAY_SECONDS = 30;
/** What a warden that dies had in flight is forgotten this long after its death. */
const VANISHED_AFTER_MS = 10_000;

let fleet: FleetOfProcesses;
let wardens: readonly WardenProcess[] = [];
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  fleet = await startFleetOfProcesses();
  wardens = await Promise.all(Array.from({ length: 3 }, () => fleet.start()));
  await everyone(wardens, true);
}, 90_000);

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await fleet.close();
});

function three(): [WardenProcess, WardenProcess, WardenProcess] {
  const [one, two, other] = wardens;
  if (one === undefined || two === undefined || other === undefined) throw new Error('three wardens were started');
  return [one, two, other];
}

const streams = (warden: WardenProcess, count: number) =>
  Promise.all(Array.from({ length: count }, () => openStream(warden)));

const membersAre = (count: number, among: readonly WardenProcess[]) =>
  eventually(async () => {
    for (const warden of among) expect((await warden.fleet()).members).toHaveLength(count);
  }, 15_000);

/** For docs/fleet.md: WARDEN_TEST_FIGURES=1. */
function say(what: string, played: Played): void {
  if (process.env.WARDEN_TEST_FIGURES === undefined) return;
  console.log(`${what}: ${played.sticky} of ${played.continuing} turns sticky, ${played.failed} failed`);
}

describe('three wardens as processes', () => {
  it('lose no home when one is killed and another takes its place', async () => {
    const sessions = await placeAll(wardens, 200);
    const [victim, ...others] = three();
    const { stop } = keepPlaying(sessions, () => wardens);
    await pause(2000);
    const killedAt = Date.now();
    wardens = others;
    await victim.kill();
    await pause(2000);
    wardens = [...others, await fleet.start({ dataDir: victim.dataDir })];
    await pause(4000);
    const played = await stop();
    say('one warden killed and back', played);
    expect(stickyShare(played)).toBeGreaterThanOrEqual(0.999);
    // Those that were under way at the one that died.
    expect(played.failed).toBeLessThanOrEqual(8);
    await agreeWithEngines(wardens, fleet.engines, 0, Math.max(1000, killedAt + VANISHED_AFTER_MS - Date.now()));
    await membersAre(3, wardens);
  }, 120_000);

  it('forget what a dead one had in flight within ten seconds of its death', async () => {
    const [victim, ...others] = three();
    await streams(victim, 6);
    await agreeWithEngines(wardens, fleet.engines, 6);
    await victim.kill();
    await agreeWithEngines(others, fleet.engines, 0, VANISHED_AFTER_MS);
    await placeAll(others, 20);
    await agreeWithEngines(others, fleet.engines, 0);
  }, 60_000);

  it('take one that stands still for dead, and count again what it has when it goes on', async () => {
    const [still, ...others] = three();
    const held = await streams(still, 4);
    await agreeWithEngines(wardens, fleet.engines, 4);
    still.process.kill('SIGSTOP');
    await membersAre(2, others);
    still.process.kill('SIGCONT');
    await membersAre(3, wardens);
    await agreeWithEngines(wardens, fleet.engines, 4);
    for (const stream of held) stream.leave();
    await placeAll(wardens, 20);
    await agreeWithEngines(wardens, fleet.engines, 0);
  }, 90_000);

  it(
    'keep conversations at home while the shared memory is away for half a minute',
    async () => {
      const sessions = await placeAll(wardens, 200);
      const [one, two, other] = three();
      const before = await streams(one, 3);
      const { stop } = keepPlaying(sessions, () => wardens);
      await fleet.redis.stop();
      const meanwhile = [...(await streams(two, 2)), ...(await streams(other, 2))];
      for (const stream of before) stream.leave();
      await pause(AWAY_SECONDS * 1000);
      await fleet.redis.start();
      await everyone(wardens, true);
      await pause(1000);
      const played = await stop();
      say(`${AWAY_SECONDS} s without the shared memory`, played);
      expect(played.failed).toBe(0);
      expect(stickyShare(played)).toBeGreaterThanOrEqual(0.99);
      await agreeWithEngines(wardens, fleet.engines, 4);
      for (const stream of meanwhile) stream.leave();
      await agreeWithEngines(wardens, fleet.engines, 0);
    },
    90_000 + AWAY_SECONDS * 1000,
  );

  it('are one again after a partition that cut one of them off', async () => {
    const wall = await startWall(fleet.redis.port);
    const cutOff = await fleet.start({ shared: wall.url });
    const [here] = three();
    wardens = [...wardens, cutOff];
    await everyone(wardens, true);
    const held = [...(await streams(cutOff, 2)), ...(await streams(here, 2))];
    wall.cut();
    await everyone([cutOff], false);
    const sessions = Array.from({ length: 60 }, () => randomUUID());
    // The same new conversations on both sides of the wall.
    await Promise.all(sessions.map((session) => turn(cutOff, session)));
    await Promise.all(sessions.map((session) => turn(here, session)));
    wall.heal();
    await everyone(wardens, true);
    await agreeWithEngines(wardens, fleet.engines, 4);
    await eventually(async () => {
      for (const session of sessions) {
        const replicas = await Promise.all(wardens.map(async (warden) => (await turn(warden, session)).replica));
        expect(new Set(replicas).size).toBe(1);
      }
    }, 20_000);
    for (const stream of held) stream.leave();
    await agreeWithEngines(wardens, fleet.engines, 0);
  }, 120_000);
});

/** Stands between a warden and the shared memory; while it is cut, bytes vanish and connections stay open. */
async function startWall(port: number) {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => (isCut ? undefined : to.write(bytes)));
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `redis://127.0.0.1:${address.port}`,
    cut: () => {
      isCut = true;
    },
    heal: () => {
      isCut = false;
    },
  };
}
