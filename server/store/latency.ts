import { addedUp, type BucketCount, latencyQuantile } from '#lib/series/latency-histogram.ts';
import { type SeriesWindow, spanOf, spanStarts } from '#lib/series/span.ts';
import type { Connection } from './open.ts';
import {
  BAR_S,
  barMs,
  bucketOf,
  MODELS_ASKED,
  NEW_REQUESTS,
  type Rollup,
  type SeriesQuery,
  WINDOW_S,
  windowMs,
} from './rollups.ts';
import type { LatencyBucket, LatencySummary, WholeLatency } from './store.ts';

export type Latency = {
  /** Adds the requests from `firstSeq` on to the histograms; each request once. */
  rollUp(firstSeq: number): void;
  series(model: string | null, window: SeriesWindow, now: number): readonly LatencyBucket[];
  whole(model: string | null, window: SeriesWindow, now: number): WholeLatency;
};

/** Coarsest first. The quarter hour is there for the day's chart, which took 37 ms from 125,000 rows of minutes. */
const ROLLUPS: readonly Rollup<'latency_1m' | 'latency_15m' | 'latency_1h'>[] = [
  { table: 'latency_1h', seconds: 3600 },
  { table: 'latency_15m', seconds: 900 },
  { table: 'latency_1m', seconds: 60 },
];

const TTFB = { metric: 1, bucket: 'ttfb_bucket', ms: 'ttfb_ms' };
const DURATION = { metric: 2, bucket: 'duration_bucket', ms: 'finished_ms - started_ms' };
const METRICS = [TTFB, DURATION];

/** The histogram of one metric in one bar: `buckets` and `counts` are lists of numbers with commas, of one length. */
type HistogramRow = {
  readonly start: number;
  readonly metric: number;
  readonly buckets: string;
  readonly counts: string;
  readonly sum_ms: number;
};

export function createLatency({ sqlite }: Connection): Latency {
  const add = ROLLUPS.flatMap((rollup) => METRICS.map((metric) => sqlite.prepare<[number]>(addSql(rollup, metric))));
  const raw = sqlite.prepare<SeriesQuery, HistogramRow>(barsOf(METRICS.map(rawSql).join(' UNION ALL ')));
  const rolledUp = ROLLUPS.map(({ table, seconds }) => ({
    seconds,
    read: sqlite.prepare<SeriesQuery, HistogramRow>(barsOf(readSql(table))),
  }));

  return {
    rollUp(firstSeq) {
      for (const statement of add) statement.run(firstSeq);
    },
    series(model, window, now) {
      const byBar = new Map(rowsOf(model, window, now).map((row) => [`${row.metric} ${row.start}`, row]));
      const summary = ({ metric }: Metric, start: number) => summarize(byBar.get(`${metric} ${start}`));
      return spanStarts(spanOf(window, now)).map((start) => {
        return { start, ttfb: summary(TTFB, start), duration: summary(DURATION, start) };
      });
    },
    whole(model, window, now) {
      const rows = rowsOf(model, window, now);
      const whole = ({ metric }: Metric) => merged(rows.filter((row) => row.metric === metric));
      const ttfb = whole(TTFB);
      const ttfbCounts = ttfb === undefined ? [] : addedUp(countsOf(ttfb));
      return { ttfb: summarize(ttfb), duration: summarize(whole(DURATION)), ttfbCounts };
    },
  };

  function rowsOf(model: string | null, window: SeriesWindow, now: number): readonly HistogramRow[] {
    const { from, to, bucketSeconds } = spanOf(window, now);
    const read = rolledUp.find(({ seconds }) => bucketSeconds % seconds === 0)?.read ?? raw;
    return read.all({ model, from, to, width: bucketSeconds });
  }
}

type Metric = typeof TTFB;

function addSql({ table, seconds }: Rollup<string>, { metric, bucket, ms }: Metric): string {
  return `
    INSERT INTO ${table} (model_id, start_s, metric, bucket, count, sum_ms)
    SELECT model_id, ${bucketOf('finished_ms', seconds)}, ${metric}, ${bucket}, COUNT(*), SUM(${ms}) FROM ${NEW_REQUESTS}
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
    WHERE model_id IN ${MODELS_ASKED} AND ${WINDOW_S} GROUP BY 1, 2, 3`;
}

/** One row a bar instead of one a bucket: making 13,000 objects took longer than the query. */
function barsOf(buckets: string): string {
  return `SELECT start, metric, group_concat(bucket) AS buckets, group_concat(count) AS counts, SUM(sum_ms) AS sum_ms
    FROM (${buckets}) GROUP BY 1, 2`;
}

function summarize(row: HistogramRow | undefined): LatencySummary {
  if (row === undefined) return { count: 0, mean: null, p50: null, p95: null, p99: null };
  const counts = countsOf(row);
  const count = counts.reduce((sum, one) => sum + one.count, 0);
  return {
    count,
    mean: row.sum_ms / count,
    p50: latencyQuantile(counts, 0.5),
    p95: latencyQuantile(counts, 0.95),
    p99: latencyQuantile(counts, 0.99),
  };
}

function countsOf(row: HistogramRow): readonly BucketCount[] {
  const amounts = numbers(row.counts);
  return numbers(row.buckets).map((bucket, index) => ({ bucket, count: amounts[index] ?? 0 }));
}

/** The bars of one metric as one; a bucket may come more than once in it. */
function merged(rows: readonly HistogramRow[]): HistogramRow | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    ...first,
    buckets: rows.map(({ buckets }) => buckets).join(','),
    counts: rows.map(({ counts }) => counts).join(','),
    sum_ms: rows.reduce((sum, row) => sum + row.sum_ms, 0),
  };
}

function numbers(list: string): number[] {
  return list.split(',').map(Number);
}
