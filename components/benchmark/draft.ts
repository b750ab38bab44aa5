import type { z } from 'zod';
import type { BenchmarkPlan, benchmarkRequest } from '#lib/contract/benchmark.ts';

/** The form as typed. */
export type Draft = {
  readonly model: string;
  readonly workload: 'reference' | 'claude-code';
  readonly steps: string;
  readonly seconds: string;
  readonly warmup: string;
  readonly repeats: string;
};

export type DraftField = Exclude<keyof Draft, 'model' | 'workload'>;

type Request = z.input<typeof benchmarkRequest>;
export type ReadDraft =
  | {
      readonly kind: 'ready';
      readonly request: Request;
      readonly measurements: number;
      /** About how long all of it takes. */
      readonly seconds: number;
    }
  | { readonly kind: 'problem'; readonly field: DraftField };

/** Short where nothing is at stake; as long as the reference measurement where a real engine is measured. */
export function newDraft(model: string, simulated: boolean): Draft {
  return simulated
    ? { model, workload: 'reference', steps: '4, 8', seconds: '60', warmup: '10', repeats: '1' }
    : { model, workload: 'reference', steps: '4, 8, 16, 24, 32', seconds: '180', warmup: '30', repeats: '2' };
}

/** What was asked for then, to be asked for again; the seed is a new one. */
export function draftOf(plan: BenchmarkPlan): Draft {
  return {
    model: plan.model,
    workload: plan.workload === 'claude-code' ? 'claude-code' : 'reference',
    steps: plan.steps.join(', '),
    seconds: String(plan.seconds),
    warmup: String(plan.warmup_seconds),
    repeats: String(plan.repeats),
  };
}

export const MOST_STEPS = 12;
const MOST_SESSIONS = 1024;
/** About what the switch from one step to the next takes. */
const SETTLING_SECONDS = 2;

/** What the form asks for, with how long it takes; or the first field that is wrong. */
export function readDraft(draft: Draft): ReadDraft {
  const steps = draft.steps.split(',').map((part) => part.trim());
  const sessions = steps.map((text) => wholeNumber(text, 1, MOST_SESSIONS));
  const known = sessions.filter((step) => step !== null);
  if (known.length < sessions.length || known.length > MOST_STEPS) return { kind: 'problem', field: 'steps' };
  const seconds = wholeNumber(draft.seconds, 1, 3600);
  if (seconds === null) return { kind: 'problem', field: 'seconds' };
  const warmup = wholeNumber(draft.warmup, 0, 3600);
  if (warmup === null) return { kind: 'problem', field: 'warmup' };
  const repeats = wholeNumber(draft.repeats, 1, 20);
  if (repeats === null) return { kind: 'problem', field: 'repeats' };
  const cells = 2 * repeats * new Set(known).size;
  return {
    kind: 'ready',
    measurements: cells,
    seconds: cells * (warmup + seconds + SETTLING_SECONDS),
    request: { model: draft.model, workload: draft.workload, steps: known, seconds, warmup_seconds: warmup, repeats },
  };
}

function wholeNumber(text: string, least: number, most: number): number | null {
  const value = Number(text.trim());
  return /^\d+$/.test(text.trim()) && value >= least && value <= most ? value : null;
}
