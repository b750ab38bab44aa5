import type { DecisionKind, ReplicaTally } from './types.ts';

/** Where a decision is counted; `unrouted` has no replica to its name and is counted for the model. */
const TALLY_FIELD = {
  placed: 'placed',
  sticky: 'sticky',
  spilled: 'spilledIn',
  failed_over: 'failedOverIn',
  client_pinned: 'clientPinned',
  balanced: 'balanced',
} as const satisfies Record<Exclude<DecisionKind, 'unrouted'>, keyof ReplicaTally>;

export function emptyTally(): ReplicaTally {
  return { placed: 0, sticky: 0, spilledIn: 0, failedOverIn: 0, clientPinned: 0, balanced: 0 };
}

/** Counts a decision (`by` 1) or takes it back (`by` -1) on the replica that got the request. */
export function adjustTally(tally: ReplicaTally, kind: Exclude<DecisionKind, 'unrouted'>, by: 1 | -1): void {
  tally[TALLY_FIELD[kind]] += by;
}

export function addTally(tally: ReplicaTally, other: Readonly<ReplicaTally>): void {
  for (const field of Object.values(TALLY_FIELD)) tally[field] += other[field];
}

/**
 * Sticky over sticky and spilled requests, 0..100; first placements do not count. Null before either has happened.
 */
export function stickyPercent(tallies: Iterable<Readonly<ReplicaTally>>): number | null {
  let sticky = 0;
  let spilled = 0;
  for (const tally of tallies) {
    sticky += tally.sticky;
    spilled += tally.spilledIn;
  }
  return sticky + spilled === 0 ? null : (100 * sticky) / (sticky + spilled);
}
