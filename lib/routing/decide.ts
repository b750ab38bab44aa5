import type { Home } from './homes.ts';
import {
  engineRuleChoice,
  isUp,
  type LoadState,
  leastLoaded,
  type Situation,
  someReplica,
  takingNewWork,
} from './load.ts';
import { placement } from './place.ts';
import { isAtThreshold, spillTarget } from './spill.ts';
import type { Decision, RoutedRequest, RoutingPolicy } from './types.ts';

/** What a decision may look at, all of it read-only. The caller has expired old homes. */
export type RoutingState = LoadState & { home(keyHash: string): Home | null };

export type Question = Situation & {
  readonly request: RoutedRequest;
  readonly policy: RoutingPolicy;
  readonly state: RoutingState;
};

/** True for a request that belongs to a conversation whose home the router keeps. */
export function followsHome(request: RoutedRequest, policy: RoutingPolicy): boolean {
  return policy.affinity && request.unpinnable === null && request.role === 'turn' && request.key !== null;
}

/** The whole of the routing rules: where this request goes, and why. Null where no replica is up. */
export function decide(question: Question): Decision | null {
  const { request, policy, state } = question;
  if (request.pin !== null && request.unpinnable === null && request.pin < state.replicaCount) {
    const reason = `the client asked for replica ${request.pin}`;
    return { kind: 'client_pinned', replica: request.pin, home: homeOf(question)?.replica ?? null, reason };
  }
  if (!someReplica(question, (replica) => isUp(question, replica))) return null;
  if (request.unpinnable !== null) return unrouted(question, request.unpinnable);
  if (!policy.affinity) return unrouted(question, 'affinity is off');
  if (request.role === 'side') return balanced(question, `side request (${request.sideReason ?? 'not a turn'})`);
  if (request.key === null) return balanced(question, 'no session key');

  const home = homeOf(question);
  if (home === null) return placed(question);
  return isUp(question, home.replica) ? withHomeUp(question, home) : withHomeDown(question, home);
}

/**
 * Where a request goes after all whose replica (`question.unreachable`, the last of them) could not be reached. Where
 * this request had made its conversation's home (`madeHome`), the home moves along: nothing was ever cached there.
 * Null where there is nowhere else to go; behind one URL there never is, as all its ranks are unreachable at once.
 */
export function decideAfterFailure(question: Question, madeHome: boolean): Decision | null {
  if (question.fleet.engineBalances) return null;
  const next = decide(question);
  if (next === null || next.replica === null || next.kind === 'client_pinned') return null;
  const isHomeless = madeHome && next.home !== null && !isUp(question, next.home);
  return {
    kind: 'failed_over',
    replica: next.replica,
    home: isHomeless ? next.replica : next.home,
    reason: `replica ${question.unreachable.at(-1)} could not be reached; sent to replica ${next.replica} instead`,
  };
}

function placed(question: Question): Decision | null {
  const { state, policy } = question;
  const replica = placement(question, policy.spillThreshold);
  if (replica === null) return null;
  const live = state.liveSessions(replica);
  const load = `${state.inFlight(replica)} in flight, ${live} live ${live === 1 ? 'session' : 'sessions'}`;
  return {
    kind: 'placed',
    replica,
    home: replica,
    reason: `new conversation; replica ${replica} has the least load (${load})`,
  };
}

function withHomeUp(question: Question, { replica: home }: Home): Decision {
  const { state, policy } = question;
  const situation = `home ${home} has ${state.inFlight(home)} in flight, threshold ${policy.spillThreshold}`;
  if (!isAtThreshold(question, home, policy.spillThreshold)) {
    return { kind: 'sticky', replica: home, home, reason: situation };
  }
  const target = spillTarget(question, home, policy.spillThreshold);
  if (target === null) {
    return { kind: 'sticky', replica: home, home, reason: `${situation}, but no other replica has fewer` };
  }
  return { kind: 'spilled', replica: target, home, reason: `${situation}; replica ${target} has the least load` };
}

function withHomeDown(question: Question, home: Home): Decision | null {
  const down = `home ${home.replica} is down`;
  if (home.standIn !== null && isUp(question, home.standIn)) {
    const reason = `${down}; replica ${home.standIn} stands in as before`;
    return { kind: 'failed_over', replica: home.standIn, home: home.replica, reason };
  }
  const replica = leastLoaded(question, takingNewWork(question));
  if (replica === null) return null;
  const reason = `${down}; replica ${replica} has the least load and stands in`;
  return { kind: 'failed_over', replica, home: home.replica, reason };
}

function balanced(question: Question, why: string): Decision | null {
  const replica = leastLoaded(question, takingNewWork(question));
  if (replica === null) return null;
  return {
    kind: 'balanced',
    replica,
    home: homeOf(question)?.replica ?? null,
    reason: `${why}: replica ${replica} has the least load`,
  };
}

function unrouted(question: Question, why: string): Decision | null {
  const home = homeOf(question)?.replica ?? null;
  if (question.fleet.engineBalances) {
    return { kind: 'unrouted', replica: null, home, reason: `${why}: the engine chooses` };
  }
  const replica = engineRuleChoice(question);
  if (replica === null) return null;
  const reason = `${why}: replica ${replica} has the least waiting and running, by the engine's own rule`;
  return { kind: 'unrouted', replica, home, reason };
}

function homeOf({ request, state }: Question): Home | null {
  return request.key === null ? null : state.home(request.key.hash);
}
