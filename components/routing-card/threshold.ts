import type { RoutingState } from '#lib/contract/models.ts';

/** A threshold as typed: a whole number from 1, or what is wrong with it. */
export function parseThreshold(text: string): { readonly value: number } | { readonly problem: 'empty' | 'notWhole' } {
  const value = Number(text);
  if (text.trim() === '') return { problem: 'empty' };
  if (!Number.isInteger(value) || value < 1) return { problem: 'notWhole' };
  return { value };
}

/** How a quarter of `max_num_seqs` became a whole number; null where it was one. */
export function roundingOf(sequences: number): 'roundedDown' | 'atLeastOne' | null {
  if (sequences % 4 === 0) return null;
  return sequences < 4 ? 'atLeastOne' : 'roundedDown';
}

/** The replicas that would be over a threshold at this moment. */
export function overThreshold(threshold: number, replicas: RoutingState['replicas']): RoutingState['replicas'] {
  return replicas.filter((replica) => replica.in_flight >= threshold);
}
