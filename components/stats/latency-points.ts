import type { LatencySeries, WindowName } from '#lib/contract/series.ts';
import { formatSeconds } from '#lib/format/duration.ts';
import { RANGE_WORDS } from './range-words.ts';

/** Which of the two times: to the first byte, or of the whole request. */
export type LatencyKind = 'ttfb_seconds' | 'duration_seconds';

/** One instant of a latency chart, in seconds; null where nothing finished in the bucket. */
export type LatencyPoint = {
  readonly time: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly count: number;
};

export function latencyPoints(series: LatencySeries, kind: LatencyKind): LatencyPoint[] {
  return series.buckets.map((bucket) => {
    const { p50, p95, count } = bucket[kind];
    return { time: Date.parse(bucket.time), p50, p95, count };
  });
}

/** The chart in one sentence, for those who do not see it. */
export function latencySentence(title: string, points: readonly LatencyPoint[], range: WindowName): string {
  const medians = points.map(({ p50 }) => p50).filter((value) => value !== null);
  const tails = points.map(({ p95 }) => p95).filter((value) => value !== null);
  const lead = `${title} over ${RANGE_WORDS[range]}`;
  if (medians.length === 0) return `${lead}: no request finished.`;
  const between = `between ${formatSeconds(Math.min(...medians))} and ${formatSeconds(Math.max(...medians))}`;
  const tail = tails.length === 0 ? '' : `, 95th percentile up to ${formatSeconds(Math.max(...tails))}`;
  return `${lead}: median ${between}${tail}.`;
}
