/** The one description of a chart's time range: which buckets it has and which stored tier answers it. */
export type RangeName = '15m' | '1h' | '6h' | '24h' | '7d' | '30d';

/** `raw`: one row per finished request or per reading; `1m` and `1h`: the rollups. */
export type Tier = 'raw' | '1m' | '1h';

export type Range = {
  readonly name: RangeName;
  /** Length of the whole range in seconds. */
  readonly seconds: number;
  /** Width of one drawn bar in seconds; at most 120 bars a chart (recharts' measured limit for bars). */
  readonly bucketSeconds: number;
  readonly tier: Tier;
};

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

export const RANGES: Readonly<Record<RangeName, Range>> = {
  '15m': { name: '15m', seconds: 15 * MINUTE, bucketSeconds: 15, tier: 'raw' },
  '1h': { name: '1h', seconds: HOUR, bucketSeconds: MINUTE, tier: '1m' },
  '6h': { name: '6h', seconds: 6 * HOUR, bucketSeconds: 5 * MINUTE, tier: '1m' },
  '24h': { name: '24h', seconds: DAY, bucketSeconds: 15 * MINUTE, tier: '1m' },
  '7d': { name: '7d', seconds: 7 * DAY, bucketSeconds: 2 * HOUR, tier: '1h' },
  '30d': { name: '30d', seconds: 30 * DAY, bucketSeconds: 6 * HOUR, tier: '1h' },
};

export const RANGE_NAMES = ['15m', '1h', '6h', '24h', '7d', '30d'] as const satisfies readonly RangeName[];

/**
 * The buckets of a range that ends now: `count` buckets, the last one being the bucket that holds `nowSeconds`
 * (still filling). Bucket starts are multiples of `bucketSeconds` since the epoch, so that every chart of a page
 * shares its ticks.
 */
export function bucketStarts(range: Range, nowSeconds: number): number[] {
  const last = Math.floor(nowSeconds / range.bucketSeconds) * range.bucketSeconds;
  const count = Math.round(range.seconds / range.bucketSeconds);
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * range.bucketSeconds);
}

/** `from` (included) to `to` (excluded), unix seconds; `starts` are the buckets between them. */
export type RangeWindow = { readonly starts: readonly number[]; readonly from: number; readonly to: number };

/** The span of a range that ends now, `nowMs` in ms since the epoch. */
export function rangeWindow(range: Range, nowMs: number): RangeWindow {
  const starts = bucketStarts(range, Math.floor(nowMs / 1000));
  const to = (starts.at(-1) ?? 0) + range.bucketSeconds;
  return { starts, from: starts[0] ?? to, to };
}
