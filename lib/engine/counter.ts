import type { EngineReading, RankReading } from './types.ts';

/** `increase` since the reading before. Where the engine restarted in between, what it counted since then. */
type CounterDelta = { readonly increase: number; readonly restarted: boolean };

/**
 * What a counter grew by between two readings; null where either is unknown. A smaller value means that the engine
 * started to count from 0 again.
 */
export function counterDelta(before: number | null, after: number | null): CounterDelta | null {
  if (before === null || after === null) return null;
  if (after < before) return { increase: after, restarted: true };
  return { increase: after - before, restarted: false };
}

/**
 * True where the engine process is another one than at the reading before: its start time changed, or a counter of a
 * rank went back. An engine that restarted before it did any work cannot be told from one that did not.
 */
export function engineRestarted(before: EngineReading, after: EngineReading): boolean {
  const { processStartTime: started } = before;
  if (started !== null && after.processStartTime !== null && started !== after.processStartTime) return true;
  const sameSource = before.cacheSource === after.cacheSource;
  return after.ranks.some((rank) => {
    const earlier = before.ranks.find((candidate) => candidate.rank === rank.rank);
    if (earlier === undefined) return false;
    return (
      RAW_COUNTERS.some((name) => wentBack(earlier[name], rank[name])) ||
      (sameSource && wentBack(earlier.cachedTokens, rank.cachedTokens))
    );
  });
}

/** `computedTokens` is not among them: it may be a difference of two counters read at slightly different times. */
const RAW_COUNTERS = [
  'promptTokens',
  'generationTokens',
  'finishedRequests',
  'abortedRequests',
  'preemptions',
] as const satisfies readonly (keyof RankReading)[];

function wentBack(before: number | null, after: number | null): boolean {
  return counterDelta(before, after)?.restarted ?? false;
}
