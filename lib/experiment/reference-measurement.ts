import type { ReportRow } from './report.ts';

/** The columns that the reference measurement has. */
type ReferenceRow = Pick<
  ReportRow,
  | 'policy'
  | 'sessions'
  | 'sessions_per_hour'
  | 'output_tokens_per_minute'
  | 'ttfb_p50_seconds'
  | 'ttfb_p95_seconds'
  | 'replicas_busy'
  | 'prefix_hit_percent'
  | 'stayed_percent'
>;

/** In the order of `ReferenceRow`'s columns. */
type Figures = readonly [number, number, number, number, number, number, number, number | null];

const OFF: readonly Figures[] = [
  [4, 180, 5886, 2.05, 3.5, 2.71, 56.2, null],
  [8, 300, 8364, 2.33, 6.32, 3.74, 44.3, null],
  [16, 300, 9558, 3.25, 26.24, 3.91, 33.2, null],
  [24, 300, 9048, 5.06, 58.82, 3.91, 32.8, null],
  [32, 520, 14_760, 12.32, 82.84, 4, 31.6, null],
];

const ON: readonly Figures[] = [
  [4, 240, 6744, 0.38, 2.84, 2.83, 86.4, 100],
  [8, 380, 10_752, 0.48, 5.03, 3.74, 86.1, 100],
  [16, 360, 12_204, 0.85, 24.88, 3.69, 48.6, 100],
  [24, 420, 11_178, 13.14, 38.34, 4, 37.9, 89.1],
  [32, 620, 16_638, 27.66, 38.92, 4, 31.6, 67.3],
];

/**
 * Measured on 2026-10-04: four RTX A4000, Qwen3-4B-Instruct-2507 in bf16, vLLM 0.26.0 with four ranks, max_num_seqs 32,
 * steps of 180 s, one run of each, affinity off first, times to first byte at a client across the internet.
 */
export const REFERENCE_MEASUREMENT: readonly ReferenceRow[] = [
  ...OFF.map((figures) => row('off', figures)),
  ...ON.map((figures) => row('affinity', figures)),
];

function row(policy: 'off' | 'affinity', figures: Figures): ReferenceRow {
  const [sessions, perHour, output, p50, p95, busy, hit, stayed] = figures;
  return {
    policy,
    sessions,
    sessions_per_hour: perHour,
    output_tokens_per_minute: output,
    ttfb_p50_seconds: p50,
    ttfb_p95_seconds: p95,
    replicas_busy: busy,
    prefix_hit_percent: hit,
    stayed_percent: stayed,
  };
}
