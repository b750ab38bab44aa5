import type { Advice } from '#lib/contract/advice.ts';
import type { AdviceFacts, AdviceReplica } from './facts.ts';
import { LIMITS } from './limits.ts';
import { of } from './request-shares.ts';

/** What the engines are, do not do and do not tell. Needs no requests, but for what they would have told. */
export function engineAdvice(facts: AdviceFacts): Advice[] {
  const up = facts.replicas.filter((replica) => replica.up);
  return [
    cachingOff(up),
    cachedNotReported(facts),
    affinityOff(facts, up),
    versionsDiffer(up),
    ...capacities(up),
  ].flatMap((one) => one ?? []);
}

function cachingOff(up: readonly AdviceReplica[]): Advice | null {
  const replicas = up.filter((replica) => replica.prefixCaching === false).length;
  return replicas === 0 ? null : { code: 'prefix_caching_off', severity: 'warn', replicas };
}

function cachedNotReported({ requests }: AdviceFacts): Advice | null {
  const told = requests.filter((request) => request.promptTokens !== null);
  const measured = told.filter((request) => request.cachedTokens !== null).length;
  if (told.length < LIMITS.requestsToMeasure || measured >= LIMITS.lowMeasured * told.length) return null;
  return {
    code: 'cached_not_reported',
    severity: 'info',
    requests: told.length,
    measured_percent: (100 * measured) / told.length,
  };
}

function affinityOff({ affinity, requests }: AdviceFacts, up: readonly AdviceReplica[]): Advice | null {
  // With one replica there is nothing to choose.
  if (affinity || up.length < 2) return null;
  // Those from before it was switched off went home.
  const unrouted = of(requests, 'unrouted').filter((request) => request.hasKey);
  return { code: 'affinity_off', severity: 'info', turns: unrouted.length };
}

function versionsDiffer(up: readonly AdviceReplica[]): Advice | null {
  const versions = [...new Set(up.flatMap((replica) => replica.version ?? []))].sort();
  return versions.length < 2 ? null : { code: 'versions_differ', severity: 'warn', versions };
}

function capacities(up: readonly AdviceReplica[]): (Advice | null)[] {
  const known = up.flatMap((replica) => replica.capacityTokens ?? []);
  const unknown = up.length - known.length;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return [
    known.length > 1 && most > LIMITS.capacityRatio * least
      ? { code: 'capacities_differ', severity: 'warn', least_tokens: least, most_tokens: most }
      : null,
    unknown > 0 ? { code: 'capacity_unknown', severity: 'info', replicas: unknown } : null,
  ];
}
