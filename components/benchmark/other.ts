import type { BenchmarkSummary } from '#lib/contract/benchmark.ts';
import { REFERENCE_MEASUREMENT } from '#lib/experiment/reference-measurement.ts';
import type { StepRow } from './steps.ts';

/** What a run is compared with. */
export type Other = {
  /** As in the legend. */
  readonly name: string;
  readonly rows: readonly StepRow[];
  readonly replicas: number;
};

const REFERENCE: Other = { name: 'Reference', rows: REFERENCE_MEASUREMENT, replicas: 4 };
const NOTHING: Other = { name: '', rows: [], replicas: 0 };

/** `chosen`: `reference`, `none` or a run's number, as in the address. */
export function otherOf(chosen: string, runs: readonly BenchmarkSummary[]): Other {
  if (chosen === 'none') return NOTHING;
  const run = runs.find(({ id }) => String(id) === chosen);
  if (run === undefined) return REFERENCE;
  // A list of runs does not tell how many replicas there were; as many as were busy there must have been.
  const busy = run.rows.map((row) => row.replicas_busy ?? 0);
  return { name: `Run ${run.id}`, rows: run.rows, replicas: Math.ceil(Math.max(0, ...busy)) };
}
