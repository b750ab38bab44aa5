import { REFERENCE_MEASUREMENT } from '#lib/experiment/reference-measurement.ts';
import type { StepRow } from './steps.ts';
import type { Words } from './words.ts';

/** What a run is compared with. */
export type Other = {
  readonly kind: 'reference' | 'run' | 'nothing';
  /** As in the address. */
  readonly value: string;
  /** As in the legend. */
  readonly name: string;
  readonly rows: readonly StepRow[];
  readonly replicas: number;
};

type MeasuredRun = { readonly id: number; readonly rows: readonly StepRow[] };

/** The runs that a run can stand beside: not itself, and none without a measurement. */
export function comparableWith<Run extends MeasuredRun>(own: number, runs: readonly Run[]): readonly Run[] {
  return runs.filter(({ id, rows }) => id !== own && rows.length > 0);
}

/** `chosen`: `reference`, `none` or a run's number, as in the address; the reference where that run is not among `runs`. */
export function otherOf(chosen: string, runs: readonly MeasuredRun[], { t }: Pick<Words, 't'>): Other {
  if (chosen === 'none') return { kind: 'nothing', value: chosen, name: '', rows: [], replicas: 0 };
  const run = runs.find(({ id }) => String(id) === chosen);
  if (run === undefined) {
    return {
      kind: 'reference',
      value: 'reference',
      name: t('reference'),
      rows: REFERENCE_MEASUREMENT,
      replicas: 4,
    };
  }
  // A list of runs does not tell how many replicas there were; as many as were busy there must have been.
  const busy = run.rows.map((row) => row.replicas_busy ?? 0);
  const name = t('runName', { run: String(run.id) });
  return { kind: 'run', value: chosen, name, rows: run.rows, replicas: Math.ceil(Math.max(0, ...busy)) };
}
