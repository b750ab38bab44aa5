import { OptionError } from './option-values.ts';
import type { ExperimentPlan } from './options.ts';
import { averageRows, type ReportRow, reportRow } from './report.ts';
import { runStep } from './run-step.ts';
import type { SessionScript, Workload } from './session-script.ts';
import { createSyntheticWorkload } from './synthetic-workload.ts';
import { createReplay, type RecordedConversation } from './trace.ts';

/** What `npm run experiment -- --json` prints. */
export type ExperimentReport = {
  readonly preset: string;
  readonly seconds: number;
  readonly seeds: readonly number[];
  readonly rows: readonly ReportRow[];
};

/** Runs every step of every policy with every seed, in virtual time. `traces`: what to replay; none for the plan's load. */
export function runExperiment(plan: ExperimentPlan, traces: readonly RecordedConversation[]): ExperimentReport {
  const workload = (seed: number): Workload =>
    traces.length === 0 ? createSyntheticWorkload(plan.workload, seed) : createReplay(traces, plan.replay, seed);
  checkLengths(plan, workload(1), traces.length);
  const rows = plan.policies.flatMap((policy) =>
    plan.steps.map((sessions) =>
      averageRows(
        plan.seeds.map((seed) => reportRow(runStep({ ...plan, policy, sessions, seed, workload: workload(seed) }))),
      ),
    ),
  );
  return { preset: plan.preset, seconds: plan.seconds, seeds: plan.seeds, rows };
}

/** The engine would refuse a longer prompt; better to say so before the run than in the middle of it. */
function checkLengths({ box, workload }: ExperimentPlan, sample: Workload, traceCount: number): void {
  const { maxModelLen } = box.profile;
  const longest =
    traceCount > 0
      ? Math.max(...Array.from({ length: traceCount }, (_, index) => longestContext(sample.session(index))))
      : workload.systemTokens +
        workload.firstMessageTokens.most +
        (Math.max(workload.turns, workload.subagents > 0 ? workload.subagentTurns : 0) - 1) * workload.turnTokens.most +
        workload.turns * workload.outputTokens.most;
  if (longest <= maxModelLen) return;
  const remedy = traceCount > 0 ? 'use --scale below 1' : 'use smaller numbers';
  throw new OptionError(`conversations grow to ${longest} tokens, the model takes ${maxModelLen}: ${remedy}`);
}

function longestContext({ turns }: SessionScript): number {
  let history = 0;
  let longest = 0;
  for (const turn of turns) {
    history = Math.min(history, turn.keepTokens ?? history);
    history += turn.input.reduce((sum, { tokens }) => sum + tokens, 0) + turn.outputTokens;
    longest = Math.max(longest, history, ...turn.subagents.map(longestContext));
  }
  return longest;
}
