import { RANGES, type RangeName, rangeWindow, type Tier } from './range.ts';

/** A stretch of time between two bucket starts, unix seconds: `from` is included, `to` is not. */
export type Span = { readonly from: number; readonly to: number; readonly bucketSeconds: number };

/** What a series is asked for: a range that ends now, or a stretch of time. */
export type SeriesWindow = RangeName | Span;

/** Charts have at most so many bars. */
export const MOST_BUCKETS = 120;

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/**
 * The widths of bars, in seconds. A stretch as long as a named range gets the width of that range, so that the period
 * before a range has the same bars.
 */
const WIDTHS = [
  15,
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 6, 12].map((hours) => hours * HOUR),
  DAY,
  4 * DAY,
];

/** For how many seconds the finer tiers are kept: what is older can only be drawn from a coarser one. */
export type Kept = { readonly raw: number; readonly minutes: number };

/** The longest stretch that can be drawn. */
export const LONGEST_SECONDS = 400 * DAY;

/**
 * The span that covers `from` to `to` (unix seconds) in at most 120 bars, as fine as what is kept of that time allows:
 * of it and of the period before it, so that the two can be compared.
 */
export function customSpan(from: number, to: number, now: number, kept: Kept): Span {
  const age = now - (from - (to - from));
  const finest = age > kept.minutes ? HOUR : age > kept.raw ? MINUTE : 0;
  const width = WIDTHS.find((seconds) => seconds >= finest && aligned(from, to, seconds).count <= MOST_BUCKETS);
  const bucketSeconds = width ?? 4 * DAY;
  const { start, end } = aligned(from, to, bucketSeconds);
  return { from: start, to: end, bucketSeconds };
}

function aligned(from: number, to: number, width: number): { start: number; end: number; count: number } {
  const start = Math.floor(from / width) * width;
  const end = Math.max(start + width, Math.ceil(to / width) * width);
  return { start, end, count: (end - start) / width };
}

/** The stretch of time that a window covers; `nowMs` in ms since the epoch. */
export function spanOf(window: SeriesWindow, nowMs: number): Span {
  if (typeof window !== 'string') return window;
  const range = RANGES[window];
  const { from, to } = rangeWindow(range, nowMs);
  return { from, to, bucketSeconds: range.bucketSeconds };
}

/** The period of the same length right before. */
export function spanBefore({ from, to, bucketSeconds }: Span): Span {
  return { from: from - (to - from), to: from, bucketSeconds };
}

/** The starts of a span's buckets. */
export function spanStarts({ from, to, bucketSeconds }: Span): number[] {
  const count = Math.max(0, Math.round((to - from) / bucketSeconds));
  return Array.from({ length: count }, (_, index) => from + index * bucketSeconds);
}

/** The stored tier that answers bars of a width. */
export function tierOf(bucketSeconds: number): Tier {
  if (bucketSeconds % HOUR === 0) return '1h';
  return bucketSeconds % MINUTE === 0 ? '1m' : 'raw';
}
