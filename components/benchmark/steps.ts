import type { BenchmarkRow } from '#lib/contract/benchmark.ts';

/** What both a report of ours and the reference measurement tell of a step. */
export type StepRow = Pick<
  BenchmarkRow,
  | 'policy'
  | 'sessions'
  | 'sessions_per_hour'
  | 'output_tokens_per_minute'
  | 'ttfb_p50_seconds'
  | 'ttfb_p95_seconds'
  | 'replicas_busy'
  | 'prefix_hit_percent'
  | 'stayed_percent'
> & { readonly turns?: number | null };

/** Affinity off, on, and on with cache-fit, at one number of sessions; undefined: not measured. */
export type Step = {
  readonly sessions: number;
  readonly off: StepRow | undefined;
  readonly on: StepRow | undefined;
  readonly fit: StepRow | undefined;
};

/** Rows side by side, in the order of their numbers of sessions. */
export function stepsOf(rows: readonly StepRow[]): Step[] {
  const sessions = [...new Set(rows.map((row) => row.sessions))].sort((a, b) => a - b);
  const find = (policy: string, step: number) => rows.find((row) => row.policy === policy && row.sessions === step);
  return sessions.map((step) => ({
    sessions: step,
    off: find('off', step),
    on: find('affinity', step),
    fit: find('cache-fit', step),
  }));
}

/** Whether cache-fit was measured at any step. */
export function hasCacheFit(rows: readonly Pick<StepRow, 'policy'>[]): boolean {
  return rows.some(({ policy }) => policy === 'cache-fit');
}
