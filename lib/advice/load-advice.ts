import type { Advice } from '#lib/contract/advice.ts';
import type { AdviceFacts, AdviceReplica } from './facts.ts';
import { LIMITS } from './limits.ts';
import { mostFrequent, of, stickyShare } from './request-shares.ts';

/** What decisions and queues say of the spill threshold, and of requests that no threshold reaches. */
export function loadAdvice(facts: AdviceFacts): Advice[] {
  if (facts.requests.length < LIMITS.requests) return [];
  const threshold = facts.affinity ? [replicaPegged(facts), spills(facts)] : [];
  return [...threshold, withoutKey(facts)].flatMap((one) => one ?? []);
}

function replicaPegged({ replicas, spillThreshold }: AdviceFacts): Advice | null {
  const known = replicas.filter((replica) => replica.up).flatMap(loadOf);
  const [busiest] = known.toSorted((a, b) => b.waiting - a.waiting || b.running - a.running);
  const [idlest] = known.toSorted((a, b) => a.running + a.waiting - (b.running + b.waiting));
  if (busiest === undefined || idlest === undefined || busiest.waiting < LIMITS.waiting || spillThreshold <= 1) {
    return null;
  }
  const isIdle = idlest.waiting === 0 && idlest.running < LIMITS.idle * busiest.running;
  if (!isIdle) return null;
  return {
    code: 'replica_pegged',
    severity: 'warn',
    replica: busiest.replica,
    waiting: busiest.waiting,
    idle_replica: idlest.replica,
    idle_running: idlest.running,
    spill_threshold: spillThreshold,
    // What runs there without waiting, as long as that is less than now.
    suggested: Math.max(1, Math.min(spillThreshold - 1, Math.round(busiest.running))),
  };
}

function loadOf({ replica, running, waiting }: AdviceReplica) {
  return running === null || waiting === null ? [] : [{ replica, running, waiting }];
}

function spills({ requests, replicas, cacheFit, spillThreshold, maxNumSeqs }: AdviceFacts): Advice | null {
  const spilled = of(requests, 'spilled').length;
  const turns = spilled + of(requests, 'sticky').length;
  const sticky = stickyShare(requests);
  if (sticky === null || turns < LIMITS.requests || 1 - sticky < LIMITS.highSpilled) return null;
  const percent = 100 * (1 - sticky);
  const up = replicas.filter((replica) => replica.up);
  const waiting = up.flatMap((replica) => replica.waiting ?? []);
  const calm = waiting.filter((requestsWaiting) => requestsWaiting < LIMITS.waiting).length;
  // Whether the threshold is too low or the engines too busy, only their queues can tell.
  if (calm === 0) return waiting.length < up.length ? null : overloaded(percent, waiting, cacheFit);
  const suggested = Math.min(2 * spillThreshold, maxNumSeqs ?? Number.POSITIVE_INFINITY);
  if (suggested <= spillThreshold) return null;
  return {
    code: 'spills_often',
    severity: 'warn',
    spilled,
    turns,
    spilled_percent: percent,
    calm_replicas: calm,
    replicas: up.length,
    spill_threshold: spillThreshold,
    suggested,
  };
}

function overloaded(spilledPercent: number, waiting: readonly number[], cacheFit: boolean): Advice | null {
  if (waiting.length === 0) return null;
  return {
    code: 'overloaded',
    severity: 'warn',
    spilled_percent: spilledPercent,
    waiting: waiting.reduce((sum, value) => sum + value, 0) / waiting.length,
    replicas: waiting.length,
    cache_fit: cacheFit,
  };
}

function withoutKey({ requests }: AdviceFacts): Advice | null {
  const without = requests.filter(({ hasKey, decision }) => !hasKey && decision !== 'client_pinned');
  if (without.length < LIMITS.highWithoutKey * requests.length) return null;
  const client = mostFrequent(without.map((request) => request.client));
  return {
    code: 'no_session_key',
    severity: 'warn',
    requests: requests.length,
    without: without.length,
    without_percent: (100 * without.length) / requests.length,
    client: client?.value ?? null,
    client_requests: client?.count ?? 0,
  };
}
