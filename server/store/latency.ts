import { fillBuckets } from '#lib/series/fill.ts';
import { type BucketCount, latencyQuantile } from '#lib/series/latency-histogram.ts';
import { RANGES, type RangeName, rangeWindow } from '#lib/series/range.ts';
import type { Connection } from './open.ts';
import { BAR_S, barMs, bucketOf, MODELS_ASKED, type Rollup, type SeriesQuery, WINDOW_S, windowMs } from './rollups.ts';
import type { LatencyBucket, LatencySummary } from './store.ts';

export type Latency = {
  /** Adds the requests from `firstSeq` on to the histograms; each request once. */
  rollUp(firstSeq: number): void;
  series(model: string | null, range: RangeName, now: number): readonly LatencyBucket[];
};

/** Coarsest first. The quarter hour is there for the day's chart: 124,000 rows of minutes took 37 ms, this takes 5. */
const ROLLUPS: readonly Rollup<'latency_1m' | 'latency_15m' | 'latency_1h'>[] = [
  { table: 'latency_1h', seconds: 3600 },
  { table: 'latency_15m', seconds: 900 },
  { table: 'latency_1m', seconds: 60 },
];

const TTFB = { metric: 1, bucket: 'ttfb_bucket', ms: 'ttfb_ms' };
const DURATION = { metric: 2, bucket: 'duration_bucket', ms: 'finished_ms - started_ms' };
const METRICS = [TTFB, DURATION];

type HistogramRow = BucketCount & { readonly start: number; readonly metric: number; readonly sum_ms: number };

export function createLatency({ sqlite }: Connection): Latency {
  const add = ROLLUPS.flatMap((rollup) => METRICS.map((metric) => sqlite.prepare<[number]>(addSql(rollup, metric))));
  const raw = sqlite.prepare<SeriesQuery, HistogramRow>(METRICS.map(rawSql).join(' UNION ALL '));
  const rolledUp = ROLLUPS.map(({ table, seconds }) => ({
    seconds,
    read: sqlite.prepare<SeriesQuery, HistogramRow>(readSql(table)),
  }));

  return {
    rollUp(firstSeq) {
      for (const statement of add) statement.run(firstSeq);
    },
    series(model, rangeName, now) {
      const range = RANGES[rangeName];
      const { starts, from, to } = rangeWindow(range, now);
      const read = rolledUp.find(({ seconds }) => range.bucketSeconds % seconds === 0)?.read ?? raw;
      const rows = read.all({ model, from, to, width: range.bucketSeconds });
      const bars = [...byStart(rows)].map(([start, bar]) => latencyBar(start, bar));
      return fillBuckets(starts, bars, (start) => latencyBar(start, []));
    },
  };
}

type Metric = typeof TTFB;

function addSql({ table, seconds }: Rollup<string>, { metric, bucket, ms }: Metric): string {
  return `
    INSERT INTO ${table} (model_id, start_s, metric, bucket, count, sum_ms)
    SELECT model_id, ${bucketOf('finished_ms', seconds)}, ${metric}, ${bucket}, COUNT(*), SUM(${ms}) FROM request
    WHERE seq >= CAST(? AS INTEGER) AND ${bucket} IS NOT NULL GROUP BY 1, 2, 4
    ON CONFLICT (model_id, start_s, metric, bucket) DO UPDATE SET
      count = count + excluded.count, sum_ms = sum_ms + excluded.sum_ms`;
}

function rawSql({ metric, bucket, ms }: Metric): string {
  return `SELECT ${barMs('finished_ms')} AS start, ${metric} AS metric, ${bucket} AS bucket, COUNT(*) AS count,
      SUM(${ms}) AS sum_ms FROM request
    WHERE model_id IN ${MODELS_ASKED} AND ${windowMs('finished_ms')} AND ${bucket} IS NOT NULL GROUP BY 1, 3`;
}

function readSql(table: string): string {
  return `SELECT ${BAR_S} AS start, metric, bucket, SUM(count) AS count, SUM(sum_ms) AS sum_ms FROM ${table}
    WHERE model_id IN ${MODELS_ASKED} AND ${WINDOW_S} GROUP BY 1, metric, bucket`;
}

function byStart(rows: readonly HistogramRow[]): ReadonlyMap<number, readonly HistogramRow[]> {
  const bars = new Map<number, HistogramRow[]>();
  for (const row of rows) {
    const bar = bars.get(row.start);
    if (bar) bar.push(row);
    else bars.set(row.start, [row]);
  }
  return bars;
}

function latencyBar(start: number, rows: readonly HistogramRow[]): LatencyBucket {
  const of = ({ metric }: Metric) => summary(rows.filter((row) => row.metric === metric));
  return { start, ttfb: of(TTFB), duration: of(DURATION) };
}

function summary(rows: readonly HistogramRow[]): LatencySummary {
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const totalMs = rows.reduce((sum, row) => sum + row.sum_ms, 0);
  return {
    count,
    mean: count === 0 ? null : totalMs / count,
    p50: latencyQuantile(rows, 0.5),
    p95: latencyQuantile(rows, 0.95),
    p99: latencyQuantile(rows, 0.99),
  };
}
