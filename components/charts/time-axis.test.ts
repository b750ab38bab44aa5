import { describe, expect, it } from 'vitest';
import { formatClock, formatClockSeconds, formatDay } from '#lib/format/time.ts';
import { bucketTitle, needsDay, timeAxis } from './time-axis.ts';

const HOUR = 3600;
const format = {
  clock: (time: number) => formatClock(time),
  clockSeconds: (time: number) => formatClockSeconds(time),
  day: (time: number) => formatDay(time),
};

/** Bars of a chart that ends at noon. */
function barsOf(hours: number, bucketSeconds: number): number[] {
  const count = Math.ceil((hours * HOUR) / bucketSeconds);
  const end = Date.UTC(2026, 10, 30, 12);
  return Array.from({ length: count }, (_, index) => end - (count - index) * bucketSeconds * 1000);
}

describe('the words on a time axis and over a bar', () => {
  // Those of the ranges, and stretches of one's own: a clock time must not stand for two moments of a chart.
  it.each([
    [0.25, 15],
    [1, 60],
    [6, 300],
    [24, 900],
    [25, 900],
    [36, 1200],
    [48, 1800],
    [60, 1800],
    [84, HOUR],
    [7 * 24, 2 * HOUR],
    [30 * 24, 6 * HOUR],
    [90 * 24, 24 * HOUR],
  ])('differ over %d hours in bars of %d s', (hours, bucketSeconds) => {
    const times = barsOf(hours, bucketSeconds);
    const { ticks, label } = timeAxis(times, bucketSeconds, format);
    expect(ticks.length).toBeGreaterThan(1);
    expect(new Set(ticks.map(label)).size).toBe(ticks.length);
    const titles = times.map((time) => bucketTitle(time, bucketSeconds, format, needsDay(times, bucketSeconds)));
    expect(new Set(titles).size).toBe(times.length);
  });

  it('have no day where a clock time is enough', () => {
    const times = barsOf(24, 900);
    expect(timeAxis(times, 900, format).label(times[0] ?? 0)).toMatch(/^\d\d:\d\d$/);
    expect(bucketTitle(times[0] ?? 0, 900, format, needsDay(times, 900))).toMatch(/^\d\d:\d\d – \d\d:\d\d$/);
  });
});
