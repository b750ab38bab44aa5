import { describe, expect, it } from 'vitest';
import type { PolicyName } from './policy.ts';
import { EXPERIMENT_PRESETS } from './presets.ts';
import { reportRow } from './report.ts';
import { runStep } from './run-step.ts';
import { createSyntheticWorkload } from './synthetic-workload.ts';

const { box, workload } = EXPERIMENT_PRESETS.a4000x4;
const SEED = 1;

function measure(policy: PolicyName, sessions: number) {
  const row = reportRow(
    runStep({
      box,
      policy,
      workload: createSyntheticWorkload(workload, SEED),
      arrivals: 'closed',
      sessions,
      seconds: 600,
      warmupSeconds: 0,
      seed: SEED,
    }),
  );
  return {
    output: row.output_tokens_per_minute ?? Number.NaN,
    p50: row.ttfb_p50_seconds ?? Number.NaN,
    p95: row.ttfb_p95_seconds ?? Number.NaN,
    mean: row.ttfb_mean_seconds ?? Number.NaN,
    hits: row.prefix_hit_percent ?? Number.NaN,
    heldMean: row.held_mean_seconds ?? Number.NaN,
    heldMost: row.held_max_seconds ?? Number.NaN,
  };
}

const pair = (sessions: number) => ({ fit: measure('cache-fit', sessions), affinity: measure('affinity', sessions) });

/** The modelled box, ten minutes in virtual time: the same in every run. docs/cache-fit.md has the figures of five seeds. */
describe('cache-fit against affinity on the reference load', () => {
  it.each([4, 8])('is as good where all fit: %i sessions', (sessions) => {
    const { fit, affinity } = pair(sessions);
    expect(fit.output).toBeGreaterThan(0.99 * affinity.output);
    for (const column of ['p50', 'p95', 'mean'] as const) {
      expect(fit[column]).toBeLessThan(1.01 * affinity[column]);
    }
  });

  it('is better at the edge of what fits: 16 sessions', () => {
    const { fit, affinity } = pair(16);
    expect(fit.output).toBeGreaterThanOrEqual(affinity.output);
    expect(fit.p50).toBeLessThanOrEqual(affinity.p50);
    expect(fit.mean).toBeLessThanOrEqual(affinity.mean);
    expect(fit.p95).toBeLessThan(1.5 * affinity.p95);
  });

  it.each([24, 32])('gives a third more where far from all fit, for longer waits of some: %i sessions', (sessions) => {
    const { fit, affinity } = pair(sessions);
    expect(fit.output).toBeGreaterThan(1.33 * affinity.output);
    expect(fit.hits).toBeGreaterThan(70);
    expect(fit.p50).toBeLessThan(1);
    expect(fit.mean).toBeLessThan(0.75 * affinity.mean);
    expect(fit.p95).toBeLessThan(2 * affinity.p95);
    expect(fit.heldMost).toBeLessThan(3 * fit.heldMean);
  });
});
