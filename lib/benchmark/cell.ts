import type { BenchmarkCell } from '#lib/contract/benchmark.ts';
import type { StepMeasurement } from '#lib/experiment/measurement.ts';
import { reportRow } from '#lib/experiment/report.ts';
import type { PlannedCell } from './plan.ts';

/** What a load tool knows of a step beside the measurement itself. */
export type CellFacts = Pick<
  BenchmarkCell,
  'errors' | 'first_error' | 'other_requests' | 'setting_changed' | 'engine_restarted' | 'started_at'
> & {
  /** Prompt tokens of the finished turns, as planned and as the engine counted them. */
  readonly plannedTokens: number;
  readonly countedTokens: number;
};

/** More times than these say no more of a distribution. */
const MOST_TIMES = 500;

/** The record of one measured step. */
export function benchmarkCell(planned: PlannedCell, measurement: StepMeasurement, facts: CellFacts): BenchmarkCell {
  const { plannedTokens, countedTokens, ...known } = facts;
  const middle = (measurement.seconds * 1000) / 2;
  const { turns } = measurement;
  const medianOf = (some: typeof turns) => reportRow({ ...measurement, turns: some }).ttfb_p50_seconds;
  const finished = turns.filter(({ endedAt }) => endedAt !== null);
  const reported = finished.filter(({ cachedTokens }) => cachedTokens !== null);
  return {
    ...known,
    policy: planned.policy,
    sessions: planned.sessions,
    repeat: planned.repeat,
    row: reportRow(measurement),
    completed_sessions: measurement.sessionDurations.length,
    first_half_p50_seconds: medianOf(turns.filter(({ sentAt }) => sentAt < middle)),
    second_half_p50_seconds: medianOf(turns.filter(({ sentAt }) => sentAt >= middle)),
    prompt_tokens_percent: plannedTokens === 0 ? null : (100 * countedTokens) / plannedTokens,
    cached_reported_percent: finished.length === 0 ? null : (100 * reported.length) / finished.length,
    ttfb_seconds: distribution(measurement),
  };
}

function distribution({ turns }: StepMeasurement): number[] {
  const times = turns.flatMap(({ sentAt, firstByteAt }) =>
    firstByteAt === null ? [] : [Math.round(firstByteAt - sentAt) / 1000],
  );
  times.sort((a, b) => a - b);
  if (times.length <= MOST_TIMES) return times;
  const last = times.length - 1;
  return Array.from({ length: MOST_TIMES }, (_, n) => times[Math.round((n * last) / (MOST_TIMES - 1))] ?? 0);
}
