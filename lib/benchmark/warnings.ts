import type { BenchmarkCell, BenchmarkEngine, BenchmarkPlan, BenchmarkWarning } from '#lib/contract/benchmark.ts';
import { planCells } from './plan.ts';

export type Judged = {
  readonly plan: BenchmarkPlan;
  readonly engine: BenchmarkEngine;
  readonly cells: readonly BenchmarkCell[];
};

/** Below this, the 95th percentile is one of the two slowest turns. */
const ENOUGH_TURNS = 40;
/** Halves of a step are compared from this many turns on. */
const COMPARABLE_TURNS = 20;
/** The median of one half over that of the other. */
const STEADY_RATIO = 1.5;
/** Differences below this are not drift, whatever their ratio. */
const NOTICEABLE_SECONDS = 0.1;
const PLANNED_WITHIN_PERCENT = 25;

/** What a reader has to know before believing the figures; empty where there is nothing. */
export function validityWarnings(judged: Judged): BenchmarkWarning[] {
  const { plan, engine, cells } = judged;
  const warnings: (BenchmarkWarning | null)[] = [
    engine.simulated
      ? warn('simulated', 'The replicas are simulated: the figures say how routing behaves, not how fast a box is.')
      : null,
    cells.length < planCells(plan).length
      ? warn('incomplete', `Only ${cells.length} of ${planCells(plan).length} steps were measured.`)
      : null,
    ...aboutLength(judged),
    ...aboutConditions(judged),
    ...aboutTokens(judged),
    plan.prompts === 'same' && plan.policies.length > 1
      ? warn('same_prompts', 'Both settings got the same prompts: the second of a step found the cache filled.')
      : null,
    plan.repeats === 1
      ? warn('one_repeat', 'Each step was measured once: how far the figures spread is not known.')
      : null,
  ];
  return warnings.filter((warning) => warning !== null);
}

function aboutLength({ cells }: Judged): (BenchmarkWarning | null)[] {
  const few = cells.filter(({ row }) => (row.turns ?? 0) < ENOUGH_TURNS);
  const unfinished = cells.filter((cell) => cell.completed_sessions < cell.sessions);
  const drifting = cells.filter(isDrifting);
  return [
    few.length === 0
      ? null
      : warn(
          'too_few_turns',
          `${named(few)}: fewer than ${ENOUGH_TURNS} turns were answered, so p95 and p99 hang on one or two of them. Measure longer.`,
        ),
    unfinished.length === 0 && drifting.length === 0
      ? null
      : warn(
          'still_warming',
          [
            unfinished.length === 0
              ? ''
              : `${named(unfinished)}: fewer conversations ended than ran at once, so short histories count for too much.`,
            drifting.length === 0
              ? ''
              : `${named(drifting)}: the median of the second half differs from the first by more than half.`,
            'Warm up or measure longer.',
          ]
            .filter((sentence) => sentence !== '')
            .join(' '),
        ),
  ];
}

function isDrifting({ row, first_half_p50_seconds: first, second_half_p50_seconds: second }: BenchmarkCell): boolean {
  if (first === null || second === null || (row.turns ?? 0) < COMPARABLE_TURNS) return false;
  if (Math.abs(first - second) < NOTICEABLE_SECONDS) return false;
  return Math.max(first, second) > STEADY_RATIO * Math.min(first, second);
}

function aboutConditions({ cells }: Judged): (BenchmarkWarning | null)[] {
  const busy = cells.filter((cell) => (cell.other_requests ?? 0) > 0);
  const failing = cells.filter((cell) => cell.errors > 0);
  const changed = cells.filter((cell) => cell.setting_changed);
  const restarted = cells.filter((cell) => cell.engine_restarted);
  const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  return [
    busy.length === 0
      ? null
      : warn(
          'other_traffic',
          `${named(busy)}: the router also took ${sum(busy.map((cell) => cell.other_requests))} requests of others.`,
        ),
    failing.length === 0
      ? null
      : warn(
          'request_errors',
          `${named(failing)}: ${sum(failing.map((cell) => cell.errors))} requests failed (${failing[0]?.first_error}).`,
        ),
    changed.length === 0
      ? null
      : warn('setting_changed', `${named(changed)}: somebody changed the affinity setting meanwhile.`),
    restarted.length === 0 ? null : warn('engine_restarted', `${named(restarted)}: the engine restarted meanwhile.`),
  ];
}

function aboutTokens({ cells }: Judged): (BenchmarkWarning | null)[] {
  const silent = cells.filter((cell) => (cell.cached_reported_percent ?? 100) < 100);
  const without = cells.filter((cell) => cell.row.prefix_hit_percent === null && (cell.row.turns ?? 0) > 0);
  const odd = cells.filter(
    ({ prompt_tokens_percent: percent }) => percent !== null && Math.abs(percent - 100) > PLANNED_WITHIN_PERCENT,
  );
  const sizes = odd.flatMap((cell) => cell.prompt_tokens_percent ?? []);
  return [
    silent.length === 0 && without.length === 0
      ? null
      : warn(
          'cached_not_reported',
          without.length > 0
            ? 'The engine does not report prefix-cache counters: prefix hits are not known.'
            : 'The engine does not say for each request what it had cached (start vLLM with --enable-prompt-tokens-details).',
        ),
    odd.length === 0
      ? null
      : warn(
          'prompt_size',
          `By the engine's count prompts had ${Math.round(Math.min(...sizes))} to ${Math.round(Math.max(...sizes))} % of the planned tokens.`,
        ),
  ];
}

function warn(code: BenchmarkWarning['code'], message: string): BenchmarkWarning {
  return { code, message };
}

const SETTINGS = { off: 'affinity off', affinity: 'affinity on', 'cache-fit': 'cache-fit on' } as const;

/** "Affinity off at 4, affinity on at 4 and 8 sessions" */
function named(cells: readonly BenchmarkCell[]): string {
  const policies = [...new Set(cells.map(({ policy }) => policy))];
  const parts = policies.map((policy) => {
    const steps = [...new Set(cells.filter((cell) => cell.policy === policy).map(({ sessions }) => sessions))];
    return `${SETTINGS[policy]} at ${list(steps.map(String))}`;
  });
  const text = `${parts.join(', ')} sessions`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
