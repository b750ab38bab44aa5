import type { RoutingState } from '#lib/contract/models.ts';

type Limits = Pick<RoutingState, 'max_num_seqs' | 'max_num_seqs_source' | 'max_num_seqs_assumed'>;

/**
 * What "auto" comes to, for the choice in the editor before anything is saved; what is in force is the router's own
 * `spill_threshold`. Null where the router does not say what it is made from.
 */
export function autoThreshold(limits: Limits): number | null {
  const sequences = limits.max_num_seqs ?? limits.max_num_seqs_assumed;
  return sequences === null ? null : Math.max(1, Math.floor(sequences / 4));
}

/** How "auto" is derived, in words. */
export function derivation(limits: Limits): string {
  const auto = autoThreshold(limits);
  if (auto === null) return 'The router does not say what auto is made from.';
  if (limits.max_num_seqs === null) {
    return (
      `Neither the configuration nor the engine says max_num_seqs; ${limits.max_num_seqs_assumed} is assumed, ` +
      `and ¼ of it${rounding(limits.max_num_seqs_assumed)} = ${auto}. Set max_num_seqs in warden.yaml to what the engine runs with.`
    );
  }
  const from = limits.max_num_seqs_source === 'config' ? 'as configured' : 'as the engine reports it';
  return `¼ of max_num_seqs ${limits.max_num_seqs}${rounding(limits.max_num_seqs)} = ${auto} (${from}).`;
}

function rounding(sequences: number | null): string {
  if (sequences === null || sequences % 4 === 0) return '';
  return sequences < 4 ? ', at least 1,' : ', rounded down,';
}

/** A threshold as typed: a whole number from 1, or what is wrong with it. */
export function parseThreshold(text: string): { readonly value: number } | { readonly problem: string } {
  const value = Number(text);
  if (text.trim() === '') return { problem: 'Give a number, or choose auto.' };
  if (!Number.isInteger(value) || value < 1) return { problem: 'A whole number from 1 on.' };
  return { value };
}

/** Which replicas a threshold would have over it at this moment, in words. */
export function preview(threshold: number, replicas: RoutingState['replicas']): string {
  const over = replicas.filter((replica) => replica.in_flight >= threshold);
  if (over.length === 0) return `No replica has ${threshold} or more in flight now: nothing would spill.`;
  const named = over.map((replica) => `${replica.replica} (${replica.in_flight} in flight)`).join(', ');
  return `Would spill now: turns for replica ${named}, as long as another has fewer.`;
}
