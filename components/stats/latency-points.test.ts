import { describe, expect, it } from 'vitest';
import type { LatencySeries } from '#lib/contract/series.ts';
import { latencyPoints, latencySentence } from './latency-points.ts';

const none = { count: 0, mean: null, p50: null, p95: null, p99: null };
const series: LatencySeries = {
  window: '1h',
  period: 'current',
  from: '2026-11-30T12:00:00.000Z',
  to: '2026-11-30T12:03:00.000Z',
  last_bucket_filling: true,
  totals: { ttfb_seconds: summary(0.4, 2.05), duration_seconds: summary(4, 12) },
  bucket_seconds: 60,
  buckets: [
    { time: '2026-11-30T12:00:00Z', ttfb_seconds: summary(0.38, 2.05), duration_seconds: summary(4, 9) },
    { time: '2026-11-30T12:01:00Z', ttfb_seconds: none, duration_seconds: none },
    { time: '2026-11-30T12:02:00Z', ttfb_seconds: summary(0.5, 1), duration_seconds: summary(5, 12) },
  ],
};

describe('latencyPoints', () => {
  it('leaves a bucket in which nothing finished unknown, so that the line has a gap', () => {
    expect(latencyPoints(series, 'ttfb_seconds').map(({ p50 }) => p50)).toEqual([0.38, null, 0.5]);
  });
});

describe('latencySentence', () => {
  it('gives the span of the medians and the highest tail', () => {
    expect(latencySentence('Time to first byte', latencyPoints(series, 'ttfb_seconds'), '1h')).toBe(
      'Time to first byte over the last hour: median between 380 ms and 500 ms, 95th percentile up to 2.05 s.',
    );
  });

  it('says that nothing finished', () => {
    expect(latencySentence('Duration', [], '6h')).toBe('Duration over the last 6 hours: no request finished.');
  });
});

function summary(p50: number, p95: number) {
  return { count: 3, mean: p50, p50, p95, p99: p95 };
}
