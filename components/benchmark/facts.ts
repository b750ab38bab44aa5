import type { BenchmarkReport } from '#lib/contract/benchmark.ts';
import { formatExact } from '#lib/format/tokens.ts';
import { POLICY_WORDS, WORKLOAD_WORDS, wholeSeconds } from './words.ts';

/** What the figures of a report depend on, as label and text. */
export function reportFacts({ plan, engine, cells, clients }: BenchmarkReport): readonly (readonly [string, string])[] {
  const turns = cells.reduce((sum, cell) => sum + (cell.row.turns ?? 0), 0);
  const known = (value: number | null) => (value === null ? 'not reported' : formatExact(value));
  return [
    ['Engine', engine.version === null ? 'version not reported' : `vLLM ${engine.version}`],
    ['Replicas', `${engine.replicas}, each ${known(engine.kv_capacity_tokens)} tokens of cache`],
    ['Limits', `max_num_seqs ${known(engine.max_num_seqs)}, spill threshold ${engine.spill_threshold}`],
    ['Load', `${WORKLOAD_WORDS[plan.workload]}, ${plan.arrivals === 'closed' ? 'closed loop' : 'open arrivals'}`],
    ['Each step', `${wholeSeconds(plan.seconds)} after ${wholeSeconds(plan.warmup_seconds)} of warm-up`],
    ['Prompts', plan.prompts === 'fresh' ? 'fresh for each setting' : 'the same for both settings'],
    ['n', `${formatExact(turns)} turns in ${cells.length} measurements`],
    ['Repeats', String(plan.repeats)],
    ['Seed', String(plan.seed)],
    ['Order', cells.map(({ policy, sessions }) => `${POLICY_WORDS[policy] ?? policy} ${sessions}`).join(', ')],
    ['Measured', clients === 'router' ? 'at clients inside the router’s process' : 'at clients beside the router'],
  ];
}
