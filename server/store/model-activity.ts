import { type BucketCount, latencyQuantile } from '#lib/series/latency-histogram.ts';
import { RANGES, rangeWindow } from '#lib/series/range.ts';
import type { Connection } from './open.ts';
import { WINDOW_S } from './rollups.ts';
import type { ModelActivity } from './store.ts';

/** What all models did lately, in three statements however many there are. */
export type ModelActivities = { all(now: number): ReadonlyMap<string, ModelActivity> };

const MINUTE = 60;
const TTFB_MINUTES = 15;
const RATE_MINUTES = 5;
const BAR_MINUTES = 2;
const TTFB_METRIC = 1;

type Window = { readonly from: number; readonly to: number };
type UsageRow = {
  readonly name: string;
  readonly start: number;
  readonly requests: number;
  readonly cached: number;
  readonly computed: number;
  readonly completion: number;
  readonly measured: number;
};
type HistogramRow = { readonly name: string; readonly bucket: number; readonly count: number };

export function createModelActivities({ sqlite }: Connection): ModelActivities {
  const usage = sqlite.prepare<[Window], UsageRow>(
    `SELECT model.name AS name, start_s AS start, requests, cached_tokens AS cached, computed_tokens AS computed,
       completion_tokens AS completion, measured_prompt_tokens AS measured
     FROM model CROSS JOIN usage_1m ON usage_1m.model_id = model.id WHERE ${WINDOW_S} ORDER BY start_s`,
  );
  const ttfb = sqlite.prepare<[Window], HistogramRow>(
    `SELECT model.name AS name, bucket, SUM(count) AS count
     FROM model CROSS JOIN latency_1m ON latency_1m.model_id = model.id
     WHERE ${WINDOW_S} AND metric = ${TTFB_METRIC} GROUP BY 1, 2`,
  );
  return {
    all(now) {
      const { from, to } = rangeWindow(RANGES['1h'], now);
      const rows = groupByName(usage.all({ from, to }));
      const histograms = groupByName(ttfb.all({ from: to - TTFB_MINUTES * MINUTE, to }));
      return new Map([...rows].map(([name, used]) => [name, activity(used, histograms.get(name) ?? [], from, now)]));
    },
  };
}

function activity(
  rows: readonly UsageRow[],
  histogram: readonly BucketCount[],
  from: number,
  now: number,
): ModelActivity {
  const nowS = Math.floor(now / 1000);
  // The minute that is running counts with the part of it that is over.
  const rateFrom = Math.floor(nowS / MINUTE) * MINUTE - (RATE_MINUTES - 1) * MINUTE;
  const rateSeconds = Math.max(1, nowS - rateFrom);
  const recent = rows.filter((row) => row.start >= rateFrom);
  const inBar = (bar: number) => rows.filter((row) => Math.floor((row.start - from) / (BAR_MINUTES * MINUTE)) === bar);
  return {
    requests: sum(rows, 'requests'),
    hitShare: hitShare(rows),
    hitShares: Array.from({ length: 60 / BAR_MINUTES }, (_, bar) => hitShare(inBar(bar))),
    ttfbP50Ms: latencyQuantile(histogram, 0.5),
    ttfbP95Ms: latencyQuantile(histogram, 0.95),
    promptTokensPerSecond: (sum(recent, 'cached') + sum(recent, 'computed')) / rateSeconds,
    completionTokensPerSecond: sum(recent, 'completion') / rateSeconds,
  };
}

function hitShare(rows: readonly UsageRow[]): number | null {
  const measured = sum(rows, 'measured');
  return measured === 0 ? null : sum(rows, 'cached') / measured;
}

function sum(rows: readonly UsageRow[], column: Exclude<keyof UsageRow, 'name'>): number {
  return rows.reduce((total, row) => total + row[column], 0);
}

function groupByName<Row extends { readonly name: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.name);
    if (group === undefined) groups.set(row.name, [row]);
    else group.push(row);
  }
  return groups;
}
