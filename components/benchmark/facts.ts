import type { BenchmarkReport } from '#lib/contract/benchmark.ts';
import { policyWord, type Words, wholeSeconds } from './words.ts';

/** What the figures of a report depend on, as label and text. */
export function reportFacts(report: BenchmarkReport, words: Words): readonly (readonly [string, string])[] {
  const { plan, engine, cells, clients } = report;
  const { t, format } = words;
  const turns = cells.reduce((sum, cell) => sum + (cell.row.turns ?? 0), 0);
  const known = (value: number | null) => (value === null ? t('notReported') : format.exact(value));
  return [
    [
      t('facts.engine'),
      engine.version === null ? t('facts.noVersion') : t('facts.version', { version: engine.version }),
    ],
    [
      t('facts.replicas'),
      t('facts.cacheEach', { replicas: format.exact(engine.replicas), tokens: known(engine.kv_capacity_tokens) }),
    ],
    [
      t('facts.limits'),
      t('facts.limitsAre', { seqs: known(engine.max_num_seqs), threshold: format.exact(engine.spill_threshold) }),
    ],
    [
      t('facts.load'),
      t('facts.loadIs', { workload: t(`workloads.${plan.workload}`), arrivals: t(`arrivals.${plan.arrivals}`) }),
    ],
    [
      t('facts.step'),
      t('facts.stepIs', {
        seconds: wholeSeconds(plan.seconds, words),
        warmup: wholeSeconds(plan.warmup_seconds, words),
      }),
    ],
    [t('facts.prompts'), t(`prompts.${plan.prompts}`)],
    [t('facts.n'), t('facts.turnsIn', { turns: format.exact(turns), cells: format.exact(cells.length) })],
    [t('facts.repeats'), format.exact(plan.repeats)],
    [t('facts.seed'), String(plan.seed)],
    [t('facts.order'), cells.map(({ policy, sessions }) => `${policyWord(policy, words)} ${sessions}`).join(', ')],
    [t('facts.measured'), t(`clients.${clients}`)],
  ];
}
