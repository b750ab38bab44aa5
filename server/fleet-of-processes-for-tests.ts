import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import type { SimulatedFleet, SimulatedFleetOptions } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually } from './warden-for-tests.ts';
import { startWardenProcess, turn, type WardenProcess, type WardenProcessOptions } from './warden-process-for-tests.ts';

export type FleetOfProcesses = {
  readonly redis: TestRedis;
  readonly engines: readonly SimulatedFleet[];
  /** Another warden; ended, with its data, when the fleet is closed. */
  start(options?: Partial<WardenProcessOptions>): Promise<WardenProcess>;
  close(): Promise<void>;
};

/** A memory and engines: four simulated servers of two replicas each, five times as fast as a small card. */
export async function startFleetOfProcesses(
  engine: SimulatedFleetOptions = { replicas: 2, speed: 5 },
  engineCount = 4,
): Promise<FleetOfProcesses> {
  const redis = await startRedis();
  const engines = await Promise.all(Array.from({ length: engineCount }, () => startSimulatedFleet(engine)));
  const started: WardenProcess[] = [];
  return {
    redis,
    engines,
    async start(options = {}) {
      const warden = await startWardenProcess({ shared: redis.url, engines, ...options });
      started.push(warden);
      return warden;
    },
    async close() {
      // One that stands still has to go on to end.
      for (const warden of started) warden.process.kill('SIGCONT');
      await Promise.all(started.map((warden) => warden.kill()));
      for (const { dataDir } of started) rmSync(dataDir, { recursive: true, force: true });
      await Promise.all(engines.map((one) => one.close()));
      await redis.close();
    },
  };
}

/** Waits until all of them say that the shared memory is up, or away. */
export function everyone(wardens: readonly WardenProcess[], up: boolean): Promise<void> {
  return eventually(async () => {
    for (const warden of wardens) expect((await warden.fleet()).shared_memory_up).toBe(up);
  }, 20_000);
}

export type Played = { readonly continuing: number; readonly sticky: number; readonly failed: number };

const WIDTH = 8;
/** So that wardens, engines and clients on two cores are busy, and not overloaded. */
const BETWEEN_TURNS_MS = 10;

export type Playing = {
  /** Resolves when all turns that are under way now are over. */
  turnover(): Promise<void>;
  stop(): Promise<Played>;
};

/**
 * Turns of the conversations in turn, each at one of the wardens of then, taken at random, until told to stop. Resolves
 * when all of them are over, with how many stayed home; failed are those that got no answer, or another than 200.
 */
export function keepPlaying(sessions: readonly string[], among: () => readonly WardenProcess[]): Playing {
  const counts = { continuing: 0, sticky: 0, failed: 0 };
  let isOver = false;
  const underWay = new Set<Promise<void>>();
  const worker = async (start: number): Promise<void> => {
    for (let at = start; !isOver; at += WIDTH) {
      const session = sessions[at % sessions.length];
      if (session === undefined) throw new Error('no conversation to play');
      const turnNow = playOne(anyOf(among()), session, counts);
      underWay.add(turnNow);
      await turnNow;
      underWay.delete(turnNow);
      await pause(BETWEEN_TURNS_MS);
    }
  };
  const workers = Array.from({ length: WIDTH }, (_, index) => worker(index));
  return {
    async turnover() {
      await Promise.all(underWay);
    },
    async stop() {
      isOver = true;
      await Promise.all(workers);
      return counts;
    },
  };
}

async function playOne(
  warden: WardenProcess,
  session: string,
  counts: { continuing: number; sticky: number; failed: number },
): Promise<void> {
  try {
    const { decision, status } = await turn(warden, session);
    if (status !== 200) counts.failed += 1;
    else counts.continuing += 1;
    if (decision === 'sticky') counts.sticky += 1;
  } catch {
    // It was under way at a warden that was killed; an agent would send it again.
    counts.failed += 1;
  }
}

function anyOf(all: readonly WardenProcess[]): WardenProcess {
  const chosen = all[Math.floor(Math.random() * all.length)];
  if (chosen === undefined) throw new Error('no warden is there');
  return chosen;
}

/** New conversations, each with its first turn behind it. */
export async function placeAll(wardens: readonly WardenProcess[], count: number): Promise<string[]> {
  const sessions = Array.from({ length: count }, () => randomUUID());
  const left = [...sessions];
  const worker = async (): Promise<void> => {
    for (let session = left.pop(); session !== undefined; session = left.pop()) {
      expect(await turn(anyOf(wardens), session)).toMatchObject({ status: 200 });
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  return sessions;
}

export const stickyShare = ({ sticky, continuing }: Played): number => sticky / continuing;
