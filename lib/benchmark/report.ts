import type {
  BenchmarkCell,
  BenchmarkEngine,
  BenchmarkPlan,
  BenchmarkReport,
  BenchmarkRow,
} from '#lib/contract/benchmark.ts';
import { averageRows } from '#lib/experiment/report.ts';
import { validityWarnings } from './warnings.ts';

export type ReportParts = {
  readonly plan: BenchmarkPlan;
  readonly engine: BenchmarkEngine;
  readonly clients: BenchmarkReport['clients'];
  /** Ms since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly cells: readonly BenchmarkCell[];
};

/** The report of the cells that were measured; of a run that was cancelled, of those before that. */
export function benchmarkReport({ plan, engine, clients, startedAt, finishedAt, cells }: ReportParts): BenchmarkReport {
  const groups = repeatsOf(plan, cells);
  return {
    plan,
    engine,
    clients,
    started_at: new Date(startedAt).toISOString(),
    finished_at: new Date(finishedAt).toISOString(),
    rows: groups.map(averageRows),
    spread: groups.map((rows) =>
      rows.length < 2
        ? null
        : { repeats: rows.length, least: eachColumn(rows, Math.min), most: eachColumn(rows, Math.max) },
    ),
    cells: [...cells],
    warnings: validityWarnings({ plan, engine, cells }),
  };
}

/** A row per policy and step that was measured, averaged over its repeats so far. */
export function averagedRows(plan: BenchmarkPlan, cells: readonly BenchmarkCell[]): BenchmarkRow[] {
  return repeatsOf(plan, cells).map(averageRows);
}

/** The rows of each policy and step, in the order of the report. */
function repeatsOf(plan: BenchmarkPlan, cells: readonly BenchmarkCell[]): BenchmarkRow[][] {
  return plan.policies.flatMap((policy) =>
    plan.steps.flatMap((sessions) => {
      const rows = cells.filter((cell) => cell.policy === policy && cell.sessions === sessions).map(({ row }) => row);
      return rows.length === 0 ? [] : [rows];
    }),
  );
}

/** Column by column `pick` of the rows that know it. */
function eachColumn(rows: readonly BenchmarkRow[], pick: (...values: number[]) => number): BenchmarkRow {
  const of = (name: Exclude<keyof BenchmarkRow, 'policy' | 'sessions'>): number | null => {
    const known = rows.map((row) => row[name]).filter((value) => value !== null);
    return known.length === 0 ? null : pick(...known);
  };
  return {
    ...averageRows(rows),
    sessions_per_hour: of('sessions_per_hour'),
    output_tokens_per_minute: of('output_tokens_per_minute'),
    ttfb_p50_seconds: of('ttfb_p50_seconds'),
    ttfb_p95_seconds: of('ttfb_p95_seconds'),
    ttfb_p99_seconds: of('ttfb_p99_seconds'),
    ttfb_mean_seconds: of('ttfb_mean_seconds'),
    ttfb_max_seconds: of('ttfb_max_seconds'),
    ttfb_first_p50_seconds: of('ttfb_first_p50_seconds'),
    ttfb_continuing_p50_seconds: of('ttfb_continuing_p50_seconds'),
    session_p50_seconds: of('session_p50_seconds'),
    replicas_busy: of('replicas_busy'),
    prefix_hit_percent: of('prefix_hit_percent'),
    stayed_percent: of('stayed_percent'),
    turns: of('turns'),
  };
}
