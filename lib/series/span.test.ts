import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANGE_NAMES, RANGES } from './range.ts';
import { customSpan, LONGEST_SECONDS, MOST_BUCKETS, spanBefore, spanOf, spanStarts, tierOf } from './span.ts';

const DAY = 86_400;
const KEPT = { raw: 2 * DAY, minutes: 14 * DAY };
const NOW = Date.UTC(2026, 10, 30, 12, 4, 31) / 1000;

const stretch = fc
  .record({ age: fc.integer({ min: 0, max: LONGEST_SECONDS }), seconds: fc.integer({ min: 1, max: LONGEST_SECONDS }) })
  .map(({ age, seconds }) => ({ from: NOW - age - seconds, to: NOW - age }));

describe('a stretch of time of one’s own', () => {
  it('is covered by at most 120 whole bars that begin at multiples of their width', () => {
    fc.assert(
      fc.property(stretch, ({ from, to }) => {
        const span = customSpan(from, to, NOW, KEPT);
        const starts = spanStarts(span);
        expect(starts.length).toBeGreaterThan(0);
        expect(starts.length).toBeLessThanOrEqual(MOST_BUCKETS);
        expect(span.from).toBeLessThanOrEqual(from);
        expect(span.to).toBeGreaterThanOrEqual(to);
        expect(from - span.from).toBeLessThan(span.bucketSeconds);
        expect(span.to - to).toBeLessThan(span.bucketSeconds + 1);
        expect(starts.every((start) => start % span.bucketSeconds === 0)).toBe(true);
      }),
    );
  });

  it.each(RANGE_NAMES)('of the length of %s has the bars of that range, and so has the period before it', (name) => {
    const range = spanOf(name, NOW * 1000);
    expect(customSpan(range.from, range.to, NOW, KEPT)).toEqual(range);
    expect(spanStarts(spanBefore(range))).toHaveLength(RANGES[name].seconds / RANGES[name].bucketSeconds);
    expect(spanBefore(range).to).toBe(range.from);
  });

  it('is drawn from what is still kept of its time and of the period before', () => {
    const tier = (days: number, hours: number) => {
      const to = NOW - days * DAY;
      return tierOf(customSpan(to - hours * 3600, to, NOW, KEPT).bucketSeconds);
    };
    expect(tier(0, 0.2)).toBe('raw');
    expect(tier(3, 0.2)).toBe('1m');
    expect(tier(20, 0.2)).toBe('1h');
    expect(tier(13, 36)).toBe('1h');
  });
});
