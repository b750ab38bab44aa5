import type { WindowName } from '#lib/contract/series.ts';
import { formatClock, formatClockSeconds, formatDay } from '#lib/format/time.ts';
import { roundTicks, ticksAreDays } from './ticks.ts';

/** Ticks and their labels for the buckets of a chart. The same for all charts of a range. */
export function timeAxis(times: readonly number[], range: WindowName) {
  return {
    ticks: roundTicks(times, range, (time) => new Date(time).getTimezoneOffset()),
    label: (time: number) => (ticksAreDays(range) ? formatDay(time) : formatClock(time)),
  };
}

/** A bucket's time in words: "12:04 – 12:05", with its day and seconds where they matter. */
export function bucketTitle(time: number, bucketSeconds: number): string {
  const end = time + bucketSeconds * 1000;
  if (bucketSeconds < 60) return `${formatClockSeconds(time)} – ${formatClockSeconds(end)}`;
  if (bucketSeconds < 3600) return `${formatClock(time)} – ${formatClock(end)}`;
  return `${formatDay(time)}, ${formatClock(time)} – ${formatClock(end)}`;
}
