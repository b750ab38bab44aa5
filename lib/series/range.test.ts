import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillBuckets } from './fill.ts';
import { bucketStarts, RANGE_NAMES, RANGES, rangeWindow } from './range.ts';

const TIER_SECONDS = { raw: 1, '1m': 60, '1h': 3600 };
const anyRange = fc.constantFrom(...RANGE_NAMES.map((name) => RANGES[name]));
const anyTime = fc.integer({ min: 10_000_000_000, max: 4_000_000_000_000 });

describe('the ranges', () => {
  it.each(RANGE_NAMES)('%s is a whole number of bars, each a whole number of stored buckets', (name) => {
    const range = RANGES[name];
    expect(range.seconds % range.bucketSeconds).toBe(0);
    expect(range.bucketSeconds % TIER_SECONDS[range.tier]).toBe(0);
    expect(range.seconds / range.bucketSeconds).toBeLessThanOrEqual(120);
  });

  it('begin their bars at multiples of the width and end with the bar that holds now', () => {
    fc.assert(
      fc.property(anyRange, anyTime, (range, now) => {
        const { starts, from, to } = rangeWindow(range, now);
        expect(starts).toEqual(bucketStarts(range, Math.floor(now / 1000)));
        expect(starts).toHaveLength(range.seconds / range.bucketSeconds);
        expect(starts.every((start, index) => start === from + index * range.bucketSeconds)).toBe(true);
        expect(from % range.bucketSeconds).toBe(0);
        expect(to - range.bucketSeconds).toBeLessThanOrEqual(now / 1000);
        expect(to).toBeGreaterThan(now / 1000);
      }),
    );
  });
});

describe('fillBuckets', () => {
  it('gives a bucket for every start, and keeps the rows that there are', () => {
    const rows = [{ start: 120, value: 7 }];
    expect(fillBuckets([60, 120, 180], rows, (start) => ({ start, value: 0 }))).toEqual([
      { start: 60, value: 0 },
      { start: 120, value: 7 },
      { start: 180, value: 0 },
    ]);
  });

  it('leaves out rows that begin outside the range', () => {
    expect(fillBuckets([60], [{ start: 0, value: 1 }], (start) => ({ start, value: 0 }))).toEqual([
      { start: 60, value: 0 },
    ]);
  });

  it('conserves the sum of rows that begin at its starts', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 50 })), (present) => {
        const starts = Array.from({ length: 51 }, (_, index) => index * 15);
        const rows = present.map((index) => ({ start: index * 15, value: index + 1 }));
        const filled = fillBuckets(starts, rows, (start) => ({ start, value: 0 }));
        expect(filled.map((row) => row.start)).toEqual(starts);
        expect(sum(filled)).toBe(sum(rows));
      }),
    );
  });
});

function sum(rows: readonly { value: number }[]): number {
  return rows.reduce((total, row) => total + row.value, 0);
}
