import { z } from 'zod';
import {
  type BenchmarkRun,
  type BenchmarkSummary,
  benchmarkPlan,
  benchmarkReport,
  benchmarkRow,
} from '#lib/contract/benchmark.ts';
import type { BenchmarkRow } from '#server/store/store.ts';

const iso = (at: number): string => new Date(at).toISOString();

/** A row of the list, whose `reportJson` is the rows of the report alone. */
export function storedSummary(row: BenchmarkRow): BenchmarkSummary {
  const rows = parse(z.array(benchmarkRow), row.reportJson);
  return { ...common(row, rows.unreadable), rows: rows.value ?? [] };
}

/** A row with its whole report. */
export function storedRun(row: BenchmarkRow): BenchmarkRun {
  const report = parse(benchmarkReport, row.reportJson);
  return { ...common(row, report.unreadable), rows: report.value?.rows ?? [], report: report.value };
}

function common(row: BenchmarkRow, reportUnreadable: boolean): Omit<BenchmarkSummary, 'rows'> {
  const plan = parse(benchmarkPlan, row.planJson);
  return {
    id: row.id,
    model: row.model,
    status: row.status,
    started_at: iso(row.startedAt),
    finished_at: row.finishedAt === null ? null : iso(row.finishedAt),
    plan: plan.value,
    progress: null,
    error:
      row.error ??
      (reportUnreadable || plan.unreadable ? 'What is stored of this run cannot be read by this version.' : null),
  };
}

/** JSON of the database, which another version may have written. */
function parse<T>(
  schema: z.ZodType<T>,
  json: string | null,
): { readonly value: T | null; readonly unreadable: boolean } {
  if (json === null) return { value: null, unreadable: false };
  try {
    const parsed = schema.safeParse(JSON.parse(json));
    return parsed.success ? { value: parsed.data, unreadable: false } : { value: null, unreadable: true };
  } catch {
    return { value: null, unreadable: true };
  }
}
