import type { Advice } from '#lib/contract/advice.ts';
import type { AdviceFacts, AdviceRequest } from './facts.ts';
import { LIMITS } from './limits.ts';
import { hitShare, mostFrequent, of, stickyShare, tokensLost } from './request-shares.ts';

/** What the hits say: a spoiled prefix, keys that change, or more conversations than cache. */
export function cacheAdvice(facts: AdviceFacts): Advice[] {
  if (!facts.affinity || facts.requests.length < LIMITS.requests) return [];
  const changing = keysChange(facts.requests);
  if (changing !== null) return [changing];
  const used = cacheUsed(facts);
  return [tooMany(facts, used), prefixSpoiled(facts, used)].flatMap((one) => one ?? []);
}

/** With a key that changes at every turn, every turn is placed and none is sticky. */
function keysChange(requests: readonly AdviceRequest[]): Advice | null {
  const keyed = requests.filter(({ hasKey, decision }) => hasKey && decision !== 'balanced');
  const placed = of(keyed, 'placed');
  if (keyed.length < LIMITS.requests || placed.length < LIMITS.highPlaced * keyed.length) return null;
  return {
    code: 'keys_change',
    severity: 'warn',
    placed: placed.length,
    requests: keyed.length,
    client: mostFrequent(placed.map(({ client }) => client))?.value ?? null,
    source: mostFrequent(placed.map(({ source }) => source))?.value ?? null,
  };
}

function prefixSpoiled({ requests }: AdviceFacts, used: number | null): Advice | null {
  const home = of(requests, 'sticky');
  const hits = hitShare(home);
  const sticky = stickyShare(requests);
  if (home.length < LIMITS.requests || hits === null || sticky === null || used === null) return null;
  if (hits >= LIMITS.lowHits || sticky < LIMITS.highSticky || used >= LIMITS.lowCache) return null;
  return {
    code: 'prefix_spoiled',
    severity: 'warn',
    hit_percent: hits * 100,
    sticky_percent: sticky * 100,
    cache_used_percent: used * 100,
    client: tokensLost(home),
  };
}

function tooMany(facts: AdviceFacts, used: number | null): Advice | null {
  const hits = hitShare(facts.requests);
  if (hits === null || used === null || hits >= LIMITS.crowdedHits || used < LIMITS.highCache) return null;
  return {
    code: 'too_many_conversations',
    severity: 'warn',
    hit_percent: hits * 100,
    cache_used_percent: used * 100,
    conversations: facts.conversations,
    fitting: facts.fitting,
    cache_fit: facts.cacheFit,
  };
}

/**
 * How full the caches are, 0..: by the conversations that live there, and where nobody knows what fits, by the engine's
 * own gauge, which leaves out what no running request uses.
 */
function cacheUsed({ replicas, aliveTokens }: AdviceFacts): number | null {
  const up = replicas.filter((replica) => replica.up);
  const capacity = up.reduce<number | null>(
    (sum, { capacityTokens }) => (sum === null || capacityTokens === null ? null : sum + capacityTokens),
    0,
  );
  const gauges = up.flatMap(({ kvUsage }) => kvUsage ?? []);
  const gauge = gauges.length === 0 ? null : gauges.reduce((sum, value) => sum + value, 0) / gauges.length;
  if (capacity === null || capacity === 0) return gauge;
  return Math.max(aliveTokens / capacity, gauge ?? 0);
}
