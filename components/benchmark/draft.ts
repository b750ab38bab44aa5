import type { z } from 'zod';
import {
  type BenchmarkPlan,
  type BenchmarkPolicy,
  benchmarkPolicy,
  type benchmarkRequest,
} from '#lib/contract/benchmark.ts';

/** The form as typed. */
export type Draft = {
  readonly model: string;
  readonly workload: 'reference' | 'claude-code';
  /** The settings that are compared. */
  readonly policies: readonly BenchmarkPolicy[];
  readonly steps: string;
  readonly seconds: string;
  readonly warmup: string;
  readonly repeats: string;
};

export type DraftField = Exclude<keyof Draft, 'model' | 'workload' | 'policies'>;

type Request = z.input<typeof benchmarkRequest>;
export type ReadDraft =
  | {
      readonly kind: 'ready';
      readonly request: Request;
      readonly measurements: number;
      /** About how long all of it takes. */
      readonly seconds: number;
    }
  | { readonly kind: 'problem'; readonly field: DraftField | 'policies' };

/** Short where nothing is at stake; as long as the reference measurement where a real engine is measured. */
export function newDraft(model: string, simulated: boolean): Draft {
  const all = { model, workload: 'reference', policies: benchmarkPolicy.options } as const;
  return simulated
    ? { ...all, steps: '4, 8', seconds: '60', warmup: '10', repeats: '1' }
    : { ...all, steps: '4, 8, 16, 24, 32', seconds: '180', warmup: '30', repeats: '2' };
}

/** What was asked for then, to be asked for again; the seed is a new one. */
export function draftOf(plan: BenchmarkPlan): Draft {
  return {
    model: plan.model,
    workload: plan.workload === 'claude-code' ? 'claude-code' : 'reference',
    policies: plan.policies,
    steps: plan.steps.join(', '),
    seconds: String(plan.seconds),
    warmup: String(plan.warmup_seconds),
    repeats: String(plan.repeats),
  };
}

const MOST_STEPS = 12;
const MOST_SESSIONS = 1024;
/** About what the switch from one step to the next takes. */
const SETTLING_SECONDS = 2;

/** What the form asks for, with how long it takes; or the first field that is wrong. */
export function readDraft(draft: Draft): ReadDraft {
  if (draft.policies.length === 0) return { kind: 'problem', field: 'policies' };
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
  const policies = benchmarkPolicy.options.filter((policy) => draft.policies.includes(policy));
  const cells = policies.length * repeats * new Set(known).size;
  return {
    kind: 'ready',
    measurements: cells,
    seconds: cells * (warmup + seconds + SETTLING_SECONDS),
    request: {
      model: draft.model,
      workload: draft.workload,
      policies,
      steps: known,
      seconds,
      warmup_seconds: warmup,
      repeats,
    },
  };
}

function wholeNumber(text: string, least: number, most: number): number | null {
  const value = Number(text.trim());
  return /^\d+$/.test(text.trim()) && value >= least && value <= most ? value : null;
}
