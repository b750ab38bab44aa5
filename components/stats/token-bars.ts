import type { TokenSeries } from '#lib/contract/series.ts';

/** One drawn bar: tokens per second, averaged over its bucket. */
export type TokenBar = {
  /** Start of the bucket, ms since the epoch. */
  readonly time: number;
  readonly cached: number;
  readonly computed: number;
  readonly completion: number;
  readonly requests: number;
  readonly measured: number;
  /** The last bucket has not ended. */
  readonly isFilling: boolean;
};

/**
 * Tokens per second of each bucket: tokens / bucket_seconds, the last one too. That one is still filling and therefore
 * too low, and is drawn paler and named so: dividing it by the seconds that have passed would let one finished request
 * in a bucket's first second tower over the whole chart.
 */
export function tokenBars({ buckets, bucket_seconds }: TokenSeries): TokenBar[] {
  return buckets.map((bucket, index) => ({
    time: Date.parse(bucket.time),
    cached: bucket.prompt_cached_tokens / bucket_seconds,
    computed: bucket.prompt_computed_tokens / bucket_seconds,
    completion: bucket.completion_tokens / bucket_seconds,
    requests: bucket.requests,
    measured: bucket.measured_requests,
    isFilling: index === buckets.length - 1,
  }));
}
