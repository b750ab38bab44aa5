import type { Format } from '#components/language/use-format.ts';
import { roundTicks, tickStep } from './ticks.ts';

const DAY = 86_400;

type TimeWords = Pick<Format, 'clock' | 'clockSeconds' | 'day'>;

/** Ticks and their labels for the buckets of a chart. The same for all charts of a window. */
export function timeAxis(times: readonly number[], bucketSeconds: number, format: TimeWords) {
  const step = tickStep(times.length * bucketSeconds);
  const withDay = needsDay(times, bucketSeconds);
  return {
    ticks: roundTicks(times, step, (time) => new Date(time).getTimezoneOffset()),
    label: (time: number) => {
      if (step >= DAY) return format.day(time);
      return withDay ? `${format.day(time)}, ${format.clock(time)}` : format.clock(time);
    },
  };
}

/** Whether a clock time comes more than once in a chart. */
export function needsDay(times: readonly number[], bucketSeconds: number): boolean {
  return times.length * bucketSeconds > DAY;
}

/** A bucket's time in words: "12:04 – 12:05", with its seconds where they matter, and its day for charts that need it. */
export function bucketTitle(time: number, bucketSeconds: number, format: TimeWords, withDay: boolean): string {
  const end = time + bucketSeconds * 1000;
  if (bucketSeconds >= DAY) return `${format.day(time)} – ${format.day(end)}`;
  if (bucketSeconds < 60) return `${format.clockSeconds(time)} – ${format.clockSeconds(end)}`;
  const clock = `${format.clock(time)} – ${format.clock(end)}`;
  return withDay ? `${format.day(time)}, ${clock}` : clock;
}
