import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BucketCount, LAST_LATENCY_BUCKET, latencyBucket, latencyQuantile } from './latency-histogram.ts';

const HOUR_MS = 3_600_000;
const duration = fc.double({ min: 1, max: HOUR_MS, maxExcluded: true, noNaN: true });
const quantile = fc.double({ min: 0, max: 1, noNaN: true });

describe('latencyBucket', () => {
  it('puts what is under a millisecond into the first bucket and what takes an hour or more into the last', () => {
    expect(latencyBucket(0)).toBe(0);
    expect(latencyBucket(0.999)).toBe(0);
    expect(latencyBucket(1)).toBe(1);
    expect(latencyBucket(HOUR_MS - 1)).toBe(LAST_LATENCY_BUCKET - 1);
    expect(latencyBucket(HOUR_MS)).toBe(LAST_LATENCY_BUCKET);
    expect(latencyBucket(10 * HOUR_MS)).toBe(LAST_LATENCY_BUCKET);
  });

  it('keeps the order of durations', () => {
    fc.assert(
      fc.property(duration, duration, (a, b) => {
        expect(latencyBucket(Math.min(a, b))).toBeLessThanOrEqual(latencyBucket(Math.max(a, b)));
      }),
    );
  });

  it('never puts durations that are more than 10 % apart into one bucket', () => {
    fc.assert(
      fc.property(duration, (ms) => {
        expect(latencyBucket(ms * 1.1)).toBeGreaterThan(latencyBucket(ms));
      }),
    );
  });
});

describe('latencyQuantile', () => {
  it('is within 10 % of the true nearest-rank quantile', () => {
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1, maxLength: 200 }), quantile, (durations, q) => {
        const truth = nearestRank(durations, q);
        const estimate = latencyQuantile(histogram(durations), q) ?? Number.NaN;
        expect(Math.abs(estimate - truth) / truth).toBeLessThanOrEqual(0.1);
      }),
    );
  });

  it('does not fall when the quantile rises', () => {
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1 }), quantile, quantile, (durations, a, b) => {
        const counts = histogram(durations);
        const low = latencyQuantile(counts, Math.min(a, b)) ?? Number.NaN;
        const high = latencyQuantile(counts, Math.max(a, b)) ?? Number.NaN;
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
  });

  it('does not depend on the order of the counts', () => {
    const counts = histogram([3, 20, 20, 900, 4000]);
    expect(latencyQuantile(counts.toReversed(), 0.5)).toBe(latencyQuantile(counts, 0.5));
  });

  it('is unknown where nothing was counted', () => {
    expect(latencyQuantile([], 0.5)).toBeNull();
    expect(latencyQuantile([{ bucket: 7, count: 0 }], 0.5)).toBeNull();
  });

  it('counts what took longer than an hour as an hour', () => {
    expect(latencyQuantile(histogram([5 * HOUR_MS]), 0.5)).toBe(HOUR_MS);
  });
});

function histogram(durations: readonly number[]): BucketCount[] {
  const counts = new Map<number, number>();
  for (const ms of durations) counts.set(latencyBucket(ms), (counts.get(latencyBucket(ms)) ?? 0) + 1);
  return [...counts].map(([bucket, count]) => ({ bucket, count }));
}

function nearestRank(durations: readonly number[], q: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? Number.NaN;
}
