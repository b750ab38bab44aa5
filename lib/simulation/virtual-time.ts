import type { SimulationClock } from './clock.ts';
import { EventQueue } from './event-queue.ts';

export type VirtualTime = SimulationClock & {
  /** Runs everything due up to `time`, then stands at `time`. */
  runUntil(time: number): void;
  /** Runs until nothing is left to do. */
  runAll(): void;
};

/** A clock that jumps from event to event. It starts at 0. */
export function createVirtualTime(): VirtualTime {
  const events = new EventQueue();
  let now = 0;

  const runUntil = (limit: number) => {
    for (let next = events.nextTime; next !== null && next <= limit; next = events.nextTime) {
      now = Math.max(now, next);
      events.runNext();
    }
  };

  return {
    now: () => now,
    at: (time, run) => events.add(Math.max(time, now), run),
    runUntil: (time) => {
      runUntil(time);
      now = Math.max(now, time);
    },
    runAll: () => runUntil(Number.POSITIVE_INFINITY),
  };
}
