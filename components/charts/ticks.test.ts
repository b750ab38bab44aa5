import { describe, expect, it } from 'vitest';
import { bucketStarts, RANGES, type RangeName } from '#lib/series/range.ts';
import { roundTicks, tickStep } from './ticks.ts';

const now = Date.UTC(2026, 10, 30, 12, 4, 31) / 1000;
const utc = () => 0;
const kolkata = () => -330;

function ticksOf(range: RangeName, offset: () => number): number[] {
  const times = bucketStarts(RANGES[range], now).map((start) => start * 1000);
  return roundTicks(times, tickStep(RANGES[range].seconds), offset);
}

describe('roundTicks', () => {
  it.each([
    ['15m', ['11:50:00', '11:55:00', '12:00:00']],
    ['1h', ['11:10:00', '11:20:00', '11:30:00', '11:40:00', '11:50:00', '12:00:00']],
    ['24h', ['16:00:00', '20:00:00', '00:00:00', '04:00:00', '08:00:00', '12:00:00']],
  ] as const)('stand on round clock times for %s', (range, expected) => {
    expect(ticksOf(range, utc).map((time) => new Date(time).toISOString().slice(11, 19))).toEqual(expected);
  });

  it('follow the local clock where it is half an hour off', () => {
    const local = ticksOf('24h', kolkata).map((time) => ((time / 3_600_000 + 5.5) % 24) % 4);
    expect(local).toEqual(local.map(() => 0));
  });

  it('mark each local day of a week once', () => {
    expect(ticksOf('7d', kolkata)).toHaveLength(7);
  });
});

describe('tickStep', () => {
  it('gives a chart of any length between two and ten ticks', () => {
    for (let seconds = 180; seconds < 400 * 86_400; seconds *= 1.3) {
      const ticks = seconds / tickStep(seconds);
      expect(ticks).toBeGreaterThan(2);
      expect(ticks).toBeLessThan(10);
    }
  });
});
