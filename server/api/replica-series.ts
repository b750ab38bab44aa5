import type { ReplicaSeries, SeriesSpan } from '#lib/contract/series.ts';
import { type Span, spanStarts } from '#lib/series/span.ts';
import type { GaugeSummary, ReplicaBucket, ReplicaSeries as StoredSeries } from '#server/store/store.ts';

type OfModel = { readonly model: string; readonly replicas: readonly StoredSeries[] };
type Column = (number | null)[];

/** What the replicas' readings say of each bar, as columns. */
export function replicaAnswer(span: Span, models: readonly OfModel[]): Omit<ReplicaSeries, keyof SeriesSpan> {
  const starts = spanStarts(span);
  const all = models.flatMap(({ replicas }) => replicas);
  const sum = (of: (bucket: ReplicaBucket) => number | null) =>
    starts.map((_, index) => rounded(total(all.map(({ buckets }) => valueAt(buckets, index, of)))));
  return {
    times: starts.map((start) => new Date(start * 1000).toISOString()),
    requests_running: sum(({ running }) => mean(running)),
    requests_waiting: sum(({ waiting }) => mean(waiting)),
    requests_waiting_max: sum(({ waiting }) => max(waiting)),
    replicas: models.flatMap(({ model, replicas }) => replicas.map((series) => columnsOf(model, series))),
  };
}

function columnsOf(model: string, { replica, buckets }: StoredSeries): ReplicaSeries['replicas'][number] {
  const column = (of: (bucket: ReplicaBucket) => number | null): Column => buckets.map((bucket) => rounded(of(bucket)));
  const highest = buckets.map(({ kvUsage }) => max(kvUsage)).filter((value) => value !== null);
  return {
    model,
    replica,
    in_flight: column(({ inFlight }) => mean(inFlight)),
    requests_running: column(({ running }) => mean(running)),
    requests_waiting: column(({ waiting }) => mean(waiting)),
    kv_cache_usage_percent: column(({ kvUsage }) => percent(mean(kvUsage))),
    kv_cache_usage_percent_max: column(({ kvUsage }) => percent(max(kvUsage))),
    prefix_cache_hit_percent: column(hitPercent),
    not_reported: notReported(buckets),
    totals: {
      kv_cache_usage_percent: rounded(percent(average(buckets.map(({ kvUsage }) => mean(kvUsage))))),
      kv_cache_usage_percent_max: highest.length === 0 ? null : rounded(percent(Math.max(...highest))),
      prefix_cache_hit_percent: rounded(
        hitPercent({
          cachedTokens: total(buckets.map(({ cachedTokens }) => cachedTokens)),
          computedTokens: total(buckets.map(({ computedTokens }) => computedTokens)),
        }),
      ),
    },
  };
}

/** An idle replica has no hit share either: only the counters tell whether the engine reports them. */
function notReported(buckets: readonly ReplicaBucket[]): string[] {
  const silent = (of: (bucket: ReplicaBucket) => unknown) => buckets.every((bucket) => of(bucket) === null);
  return [
    ...(silent(({ running }) => running) ? ['requests_running'] : []),
    ...(silent(({ waiting }) => waiting) ? ['requests_waiting'] : []),
    ...(silent(({ kvUsage }) => kvUsage) ? ['kv_cache_usage_percent'] : []),
    ...(silent(({ cachedTokens }) => cachedTokens) ? ['prefix_cache_hit_percent'] : []),
  ];
}

/** Null where the engine counted no prompt token, or does not tell. */
function hitPercent({ cachedTokens, computedTokens }: Pick<ReplicaBucket, 'cachedTokens' | 'computedTokens'>) {
  if (cachedTokens === null || computedTokens === null || cachedTokens + computedTokens === 0) return null;
  return (100 * cachedTokens) / (cachedTokens + computedTokens);
}

function valueAt(buckets: readonly ReplicaBucket[], index: number, of: (bucket: ReplicaBucket) => number | null) {
  const bucket = buckets[index];
  return bucket === undefined ? null : of(bucket);
}

/** Of the known ones; null where none is. */
function total(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function average(values: readonly (number | null)[]): number | null {
  const sum = total(values);
  return sum === null ? null : sum / values.filter((value) => value !== null).length;
}

const mean = (gauge: GaugeSummary | null): number | null => gauge?.mean ?? null;
const max = (gauge: GaugeSummary | null): number | null => gauge?.max ?? null;
const percent = (share: number | null): number | null => (share === null ? null : share * 100);

/** Three digits after the point are more than a chart shows, and a third of the bytes of a full double. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000;
}
