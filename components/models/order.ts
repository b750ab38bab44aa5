import type { Health, ModelSummary } from '#lib/contract/models.ts';
import { ruleOfThumb } from './rule-of-thumb.ts';

const TROUBLE: Readonly<Record<Health, number>> = { down: 0, degraded: 1, up: 2 };

/** Trouble first: down, degraded, more conversations than cache; then by name. */
export function byTrouble(models: readonly ModelSummary[]): ModelSummary[] {
  return models.toSorted(
    (a, b) =>
      TROUBLE[a.health] - TROUBLE[b.health] ||
      Number(ruleOfThumb(b).kind === 'too_many') - Number(ruleOfThumb(a).kind === 'too_many') ||
      a.name.localeCompare(b.name),
  );
}
