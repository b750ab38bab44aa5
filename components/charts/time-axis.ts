import type { Format } from '#components/language/use-format.ts';
import { roundTicks, tickStep } from './ticks.ts';

const HOUR = 3600;
const DAY = 86_400;

/** Ticks and their labels for the buckets of a chart. The same for all charts of a window. */
export function timeAxis(times: readonly number[], bucketSeconds: number, format: Format) {
  const step = tickStep(times.length * bucketSeconds);
  return {
    ticks: roundTicks(times, step, (time) => new Date(time).getTimezoneOffset()),
    label: (time: number) => (step >= DAY ? format.day(time) : format.clock(time)),
  };
}

/** A bucket's time in words: "12:04 – 12:05", with its day and seconds where they matter. */
export function bucketTitle(time: number, bucketSeconds: number, format: Format): string {
  const end = time + bucketSeconds * 1000;
  if (bucketSeconds >= DAY) return `${format.day(time)} – ${format.day(end)}`;
  if (bucketSeconds < 60) return `${format.clockSeconds(time)} – ${format.clockSeconds(end)}`;
  if (bucketSeconds < HOUR) return `${format.clock(time)} – ${format.clock(end)}`;
  return `${format.day(time)}, ${format.clock(time)} – ${format.clock(end)}`;
}
