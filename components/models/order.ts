import type { Health, ModelSummary } from '#lib/contract/models.ts';

const TROUBLE: Readonly<Record<Health, number>> = { down: 0, degraded: 1, up: 2 };

/** Trouble first, then by name. */
export function byTrouble(models: readonly ModelSummary[]): ModelSummary[] {
  return models.toSorted((a, b) => TROUBLE[a.health] - TROUBLE[b.health] || a.name.localeCompare(b.name));
}
