import type { SimulationClock } from '#lib/simulation/clock.ts';
import { EventQueue } from '#lib/simulation/event-queue.ts';

export type RealTime = SimulationClock & {
  /** Forgets everything that is still to come. */
  stop(): void;
};

/** Longest stretch of catching up before sockets get their turn, in real ms. */
const SLICE_MS = 8;

/**
 * Simulated time that passes `speed` times as fast as real time. Events run when they are due; after a late timer
 * everything missed runs at once with the times it was due at, so lateness never adds up. With no events there is no
 * timer.
 */
export function createRealTime(speed: number): RealTime {
  const startedAt = performance.now();
  const events = new EventQueue();
  let timer: NodeJS.Timeout | null = null;
  let armedFor = Number.POSITIVE_INFINITY;
  let stopped = false;

  const now = () => (performance.now() - startedAt) * speed;

  const disarm = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    armedFor = Number.POSITIVE_INFINITY;
  };

  const arm = () => {
    const next = events.nextTime;
    if (stopped || next === null || next >= armedFor) return;
    disarm();
    armedFor = next;
    timer = setTimeout(runDue, Math.max(0, (next - now()) / speed));
  };

  const runDue = () => {
    disarm();
    const sliceEnd = performance.now() + SLICE_MS;
    for (let next = events.nextTime; next !== null && next <= now(); next = events.nextTime) {
      if (performance.now() > sliceEnd) break;
      events.runNext();
    }
    arm();
  };

  return {
    now,
    at: (time, run) => {
      if (stopped) return;
      events.add(time, run);
      arm();
    },
    stop: () => {
      stopped = true;
      events.clear();
      disarm();
    },
  };
}
