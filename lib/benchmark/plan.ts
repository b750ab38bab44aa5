import type { BenchmarkNumbers, BenchmarkPlan, BenchmarkPolicy, BenchmarkRequest } from '#lib/contract/benchmark.ts';
import { hashText } from '#lib/experiment/hash-text.ts';
import { EXPERIMENT_PRESETS } from '#lib/experiment/presets.ts';
import type { WorkloadNumbers } from '#lib/experiment/synthetic-workload.ts';

/**
 * `reference`: the load of the reference measurement. `claude-code`: what that client sends, whose system prompt and
 * tools alone are 12 to 26 thousand tokens, with a subagent in each conversation and pauses of tools and people.
 */
const WORKLOADS = {
  reference: EXPERIMENT_PRESETS.a4000x4.workload,
  'claude-code': {
    systemTokens: 18_000,
    firstMessageTokens: { least: 1000, most: 8000 },
    turns: 12,
    turnTokens: { least: 300, most: 2500 },
    outputTokens: { least: 60, most: 400 },
    thinkSeconds: { least: 0, most: 8 },
    subagents: 1,
    subagentTurns: 4,
  },
} as const satisfies Record<string, WorkloadNumbers>;

/** The plan of a request; `drawnSeed` where it names none. */
export function planBenchmark(request: BenchmarkRequest, drawnSeed: number): BenchmarkPlan {
  const { numbers, seed, allow_traffic: _, ...rest } = request;
  return {
    ...rest,
    policies: [...new Set(request.policies)],
    steps: [...new Set(request.steps)],
    numbers: { ...inContract(WORKLOADS[request.workload]), ...withoutUndefined(numbers) },
    seed: seed ?? drawnSeed,
  };
}

/** One step of one policy and repeat. */
export type PlannedCell = {
  readonly policy: BenchmarkPolicy;
  readonly sessions: number;
  /** Counted from 0. */
  readonly repeat: number;
  /** The same for all policies of a step: they get conversations of the same sizes. */
  readonly seed: number;
  /** What the texts are made from, so that prompts agree where it does. */
  readonly salt: string;
};

/**
 * The cells in the order of measuring: step by step, the policies one after the other and the first of them another
 * one each time, so that neither always runs on what the other left behind.
 */
export function planCells(plan: BenchmarkPlan): readonly PlannedCell[] {
  return Array.from({ length: plan.repeats }, (_, repeat) => repeat).flatMap((repeat) =>
    plan.steps.flatMap((sessions, step) => {
      const order = (step + repeat) % 2 === 0 ? plan.policies : plan.policies.toReversed();
      const place = `${plan.seed}/${repeat}/${sessions}`;
      return order.map((policy) => ({
        policy,
        sessions,
        repeat,
        seed: hashText(place),
        salt: plan.prompts === 'same' ? place : `${place}/${policy}`,
      }));
    }),
  );
}

/** What the switch from one cell to the next takes, about: the engine works off what was given up. */
const SETTLING_SECONDS = 2;

/** How long `cells` cells take, in seconds, about. */
export function cellsSeconds(plan: BenchmarkPlan, cells: number): number {
  return cells * (plan.warmup_seconds + plan.seconds + SETTLING_SECONDS);
}

/** The longest that a prompt with its answer gets, in tokens as planned. */
export function longestContext(numbers: BenchmarkNumbers): number {
  const { system_tokens, first_message_tokens, turn_tokens, output_tokens, subagents, subagent_turns } = numbers;
  const turns = Math.max(numbers.turns, subagents > 0 ? subagent_turns : 0);
  return system_tokens + first_message_tokens.most + (turns - 1) * turn_tokens.most + turns * output_tokens.most;
}

export function workloadNumbers(numbers: BenchmarkNumbers): WorkloadNumbers {
  return {
    systemTokens: numbers.system_tokens,
    firstMessageTokens: numbers.first_message_tokens,
    turns: numbers.turns,
    turnTokens: numbers.turn_tokens,
    outputTokens: numbers.output_tokens,
    thinkSeconds: numbers.think_seconds,
    subagents: numbers.subagents,
    subagentTurns: numbers.subagent_turns,
  };
}

function inContract(numbers: WorkloadNumbers): BenchmarkNumbers {
  return {
    system_tokens: numbers.systemTokens,
    first_message_tokens: numbers.firstMessageTokens,
    turns: numbers.turns,
    turn_tokens: numbers.turnTokens,
    output_tokens: numbers.outputTokens,
    think_seconds: numbers.thinkSeconds,
    subagents: numbers.subagents,
    subagent_turns: numbers.subagentTurns,
  };
}

type Numbers = { readonly [Name in keyof BenchmarkNumbers]?: BenchmarkNumbers[Name] | undefined };

function withoutUndefined(numbers: Numbers): Partial<BenchmarkNumbers> {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined));
}
