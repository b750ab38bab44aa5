/*
 * Buckets are logarithmic, so that one set serves a 3 ms answer and a ten-minute wait with the same relative error.
 * Their numbers are stored: changing a constant changes what a stored number means and needs a migration.
 */
const FIRST_MS = 1;
const LAST_MS = 3_600_000;
const BUCKETS = 160;

/** Number of the bucket that holds everything from one hour on. Bucket 0 is everything under 1 ms. */
export const LAST_LATENCY_BUCKET = BUCKETS + 1;

/** Lower bound of each bucket in ms: 0, 1, 1.099, 1.208, … 3,600,000. Each is 9.9 % above the one before. */
const LOWER_BOUNDS: readonly number[] = [
  0,
  ...Array.from({ length: BUCKETS }, (_, index) => FIRST_MS * (LAST_MS / FIRST_MS) ** (index / BUCKETS)),
  LAST_MS,
];

/** How many measurements fell into a bucket. Histograms of one metric merge by adding the counts of equal buckets. */
export type BucketCount = { readonly bucket: number; readonly count: number };

/** Histograms of one metric as one: each bucket once. */
export function addedUp(counts: readonly BucketCount[]): readonly BucketCount[] {
  const sums = new Map<number, number>();
  for (const { bucket, count } of counts) sums.set(bucket, (sums.get(bucket) ?? 0) + count);
  return [...sums].map(([bucket, count]) => ({ bucket, count })).sort((a, b) => a.bucket - b.bucket);
}

/** The bucket of a duration in ms (0 or more). */
export function latencyBucket(ms: number): number {
  let low = 0;
  let high = LAST_LATENCY_BUCKET;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (lowerBound(middle) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The quantile `q` (0..1, nearest rank) in ms, from counts in any order; null where nothing was counted. It lies in the
 * bucket of the true value, so within 10 % of it from 1 ms to 1 h; what took longer counts as 1 h.
 */
export function latencyQuantile(counts: readonly BucketCount[], q: number): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.min(total, Math.max(1, Math.ceil(q * total)));
  let before = 0;
  for (const { bucket, count } of counts.toSorted((a, b) => a.bucket - b.bucket)) {
    if (before + count >= rank) return within(bucket, (rank - before - 0.5) / count);
    before += count;
  }
  return null;
}

/** A point inside a bucket; `share` 0..1 of its width. */
function within(bucket: number, share: number): number {
  if (bucket >= LAST_LATENCY_BUCKET) return LAST_MS;
  const from = lowerBound(bucket);
  return from + share * (lowerBound(bucket + 1) - from);
}

function lowerBound(bucket: number): number {
  return LOWER_BOUNDS[bucket] ?? LAST_MS;
}
