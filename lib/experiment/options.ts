import { autoSpillThreshold } from '#lib/routing/spill.ts';
import type { Box } from './box.ts';
import { OptionError, type OptionValues, readOptions } from './option-values.ts';
import { POLICY_NAMES, type PolicyName } from './policy.ts';
import { EXPERIMENT_PRESETS, type ExperimentPreset, type ExperimentPresetName } from './presets.ts';
import type { Arrivals } from './run-step.ts';
import type { WorkloadNumbers } from './synthetic-workload.ts';
import type { ReplayOptions } from './trace.ts';

/** An experiment as asked for, complete and checked. */
export type ExperimentPlan = {
  readonly preset: ExperimentPresetName;
  readonly box: Box;
  readonly policies: readonly PolicyName[];
  readonly steps: readonly number[];
  readonly seconds: number;
  readonly warmupSeconds: number;
  readonly seeds: readonly number[];
  readonly arrivals: Arrivals;
  /** The load where no traces are replayed. */
  readonly workload: WorkloadNumbers;
  /** How traces are replayed, where they are. */
  readonly replay: ReplayOptions;
};

const WHOLE = { least: 1, whole: true } as const;
const COUNT = { least: 0, whole: true } as const;
const SECONDS = { least: 0, whole: false } as const;
const POSITIVE = { least: 0.001, whole: false } as const;

type Reader = ReturnType<typeof readOptions>;

/** Checks the options and fills in the preset's values; throws OptionError with what to write instead. */
export function planExperiment(values: OptionValues): ExperimentPlan {
  const read = readOptions(values);
  const preset = read.choice('preset', 'a4000x4', ['a4000x4', 'rtx5090x7']);
  const defaults: ExperimentPreset = EXPERIMENT_PRESETS[preset];
  const policies = read.choices('policies', defaults.policies, POLICY_NAMES);
  return {
    preset,
    box: planBox(read, defaults.box),
    policies,
    steps: read.numbers('steps', defaults.steps, WHOLE),
    seconds: read.number('seconds', 600, POSITIVE),
    warmupSeconds: read.number('warmup', 0, SECONDS),
    seeds: read.numbers('seeds', [1, 2], COUNT),
    arrivals: read.choice('arrivals', 'closed', ['closed', 'open']),
    workload: planWorkload(read, defaults.workload),
    replay: {
      scale: read.number('scale', 1, POSITIVE),
      maxThinkSeconds: read.number('max-think', 300, SECONDS),
    },
  };
}

function planBox(read: Reader, box: Box): Box {
  const { profile } = box;
  const { blockSize } = profile;
  const kvTokens = read.number('kv-tokens', (profile.numBlocks - 1) * blockSize, { least: 2 * blockSize, whole: true });
  const maxNumSeqs = read.number('max-num-seqs', profile.maxNumSeqs, WHOLE);
  return {
    ...box,
    profile: {
      ...profile,
      maxNumSeqs,
      // One block is the engine's own.
      numBlocks: Math.floor(kvTokens / blockSize) + 1,
      maxModelLen: Math.min(profile.maxModelLen, Math.floor(kvTokens / blockSize) * blockSize),
    },
    replicas: read.number('replicas', box.replicas, WHOLE),
    apiServers: read.number('api-servers', box.apiServers, WHOLE),
    spillThreshold: read.number('spill-threshold', autoSpillThreshold(maxNumSeqs), WHOLE),
    roundTripMs: 1000 * read.number('round-trip', box.roundTripMs / 1000, SECONDS),
  };
}

function planWorkload(read: Reader, numbers: WorkloadNumbers): WorkloadNumbers {
  const workload = {
    systemTokens: read.number('system-tokens', numbers.systemTokens, WHOLE),
    firstMessageTokens: read.range('first-tokens', numbers.firstMessageTokens, WHOLE),
    turns: read.number('turns', numbers.turns, WHOLE),
    turnTokens: read.range('turn-tokens', numbers.turnTokens, WHOLE),
    outputTokens: read.range('output-tokens', numbers.outputTokens, WHOLE),
    thinkSeconds: read.range('think', numbers.thinkSeconds, SECONDS),
    subagents: read.number('subagents', numbers.subagents, COUNT),
    subagentTurns: read.number('subagent-turns', numbers.subagentTurns, WHOLE),
  };
  const context = read.text('context') === null ? null : read.number('context', 0, WHOLE);
  return context === null ? workload : ofContext(workload, context);
}

/** Sizes the first message so that prompts are `context` tokens long on average over a conversation. */
function ofContext(workload: WorkloadNumbers, context: number): WorkloadNumbers {
  const middle = ({ least, most }: { readonly least: number; readonly most: number }) => (least + most) / 2;
  const growth = ((workload.turns - 1) / 2) * (middle(workload.turnTokens) + middle(workload.outputTokens));
  const first = Math.round(context - workload.systemTokens - growth);
  if (first < 1) {
    const least = Math.ceil(workload.systemTokens + growth + 1);
    throw new OptionError(`--context: the system prompt and the turns alone come to more; at least ${least}`);
  }
  return { ...workload, firstMessageTokens: { least: first, most: first } };
}
