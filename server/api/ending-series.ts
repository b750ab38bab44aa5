import { decisionKind } from '#lib/contract/activity.ts';
import type { DecisionCounts, DecisionSeries, ErrorKind, ErrorSeries, SeriesSpan } from '#lib/contract/series.ts';
import type { EndingBucket, EndingCount } from '#server/store/store.ts';

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Requests by decision, of each bar and of the whole window. */
export function decisionAnswer(series: readonly EndingBucket[]): Omit<DecisionSeries, keyof SeriesSpan> {
  const totals = decisionCounts(series.flatMap(({ counts }) => counts));
  const homed = totals.sticky + totals.spilled;
  return {
    buckets: series.map(({ start, counts }) => ({ time: iso(start), requests: decisionCounts(counts) })),
    totals,
    sticky_percent: homed === 0 ? null : (100 * totals.sticky) / homed,
  };
}

function decisionCounts(counts: readonly EndingCount[]): DecisionCounts {
  const sums = { placed: 0, sticky: 0, spilled: 0, failed_over: 0, client_pinned: 0, balanced: 0, unrouted: 0 };
  // Another version of the router may have written decisions that this one does not know.
  for (const { decision, requests } of counts) if (decisionKind.options.includes(decision)) sums[decision] += requests;
  return sums;
}

/** Requests that ended ill, of each bar and of the whole window. */
export function errorAnswer(series: readonly EndingBucket[]): Omit<ErrorSeries, keyof SeriesSpan> {
  const all = series.flatMap(({ counts }) => counts);
  return {
    buckets: series.map(({ start, counts }) => ({ time: iso(start), ...errorCounts(counts) })),
    totals: errorCounts(all),
    statuses: statusesOf(all),
  };
}

/** Null: it ended well. */
function kindOf({ outcome, status }: EndingCount): ErrorKind | null {
  if (outcome === 'client_left' || outcome === 'upstream_failed') return outcome;
  if (outcome === 'engine_error' || status >= 500) return 'engine_error';
  return status >= 400 ? 'client_error' : null;
}

function errorCounts(counts: readonly EndingCount[]) {
  const sums = { requests: 0, client_error: 0, engine_error: 0, upstream_failed: 0, client_left: 0 };
  for (const count of counts) {
    const kind = kindOf(count);
    sums.requests += count.requests;
    if (kind !== null) sums[kind] += count.requests;
  }
  return sums;
}

function statusesOf(counts: readonly EndingCount[]): ErrorSeries['statuses'] {
  const byKey = new Map<string, ErrorSeries['statuses'][number]>();
  for (const count of counts) {
    const kind = kindOf(count);
    if (kind === null) continue;
    const key = `${kind} ${count.status}`;
    const requests = (byKey.get(key)?.requests ?? 0) + count.requests;
    byKey.set(key, { kind, status: count.status, requests });
  }
  return [...byKey.values()].sort((a, b) => b.requests - a.requests || a.status - b.status);
}
