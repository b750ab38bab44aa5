import type { WindowName } from '#lib/contract/series.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Seconds between two ticks of the time axis. */
const STEPS: Readonly<Record<WindowName, number>> = {
  '15m': 5 * MINUTE,
  '1h': 10 * MINUTE,
  '6h': HOUR,
  '24h': 4 * HOUR,
  '7d': DAY,
  '30d': 5 * DAY,
  custom: 5 * DAY,
};

/**
 * The bucket times (ms) that get a tick: the first bucket in each round stretch of local clock time, so that all charts
 * of a page share their ticks. `offsetMinutes` is what Date.getTimezoneOffset gives for a time.
 */
export function roundTicks(
  times: readonly number[],
  range: WindowName,
  offsetMinutes: (time: number) => number,
): number[] {
  const stretch = (time: number) => Math.floor((time / 1000 - offsetMinutes(time) * MINUTE) / STEPS[range]);
  return times.filter((time, index) => {
    const previous = times[index - 1];
    return previous !== undefined && stretch(time) !== stretch(previous);
  });
}

/** Whether the ticks of a range are days rather than clock times. */
export function ticksAreDays(range: WindowName): boolean {
  return STEPS[range] >= DAY;
}
