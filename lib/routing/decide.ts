import type { Home } from './homes.ts';
import {
  engineRuleChoice,
  isOpen,
  isUp,
  type LoadState,
  leastLoaded,
  type Situation,
  someReplica,
  takingNewWork,
} from './load.ts';
import { placement } from './place.ts';
import { isAtThreshold, movesWithSpill, spillTarget, warmReplica } from './spill.ts';
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
  if (isDrained(question, home.replica)) return withHomeDrained(question, home);
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
  const { kind, movedFrom } = next;
  // A spill after a failure does not count as one, so it does not move the home either.
  const staysHome = kind === 'spilled' && movedFrom !== undefined;
  return {
    kind: 'failed_over',
    replica: next.replica,
    home: isHomeless ? next.replica : staysHome ? movedFrom : next.home,
    ...(staysHome || movedFrom === undefined ? {} : { movedFrom }),
    reason: `replica ${question.unreachable.at(-1)} could not be reached; sent to replica ${next.replica} instead`,
  };
}

function placed(question: Question): Decision | null {
  const beside = relativesReplica(question);
  if (beside !== null) {
    const reason = `new conversation; replica ${beside} holds the one whose beginning it shares`;
    return { kind: 'placed', replica: beside, home: beside, reason };
  }
  const agreed = agreedReplica(question);
  if (agreed !== null) {
    const reason = `new conversation; replica ${agreed} by its hash, as the shared memory is away`;
    return { kind: 'placed', replica: agreed, home: agreed, reason };
  }
  const replica = placement(question, question.policy.spillThreshold);
  if (replica === null) return null;
  const reason = `new conversation; replica ${replica} has the least load (${loadOf(question, replica)})`;
  return { kind: 'placed', replica, home: replica, reason };
}

/** Where routers that cannot share their homes all place this conversation; null while they can. */
function agreedReplica(question: Question): number | null {
  const { request, fleet } = question;
  const agreement = fleet.agreement ?? null;
  return agreement === null || request.key === null ? null : agreement(request.key.hash, takingNewWork(question));
}

/** The home of the conversation whose beginning this one shares, where there is room for another. */
function relativesReplica(question: Question): number | null {
  const { request, state, policy } = question;
  const relative = request.relativeOf ?? null;
  const home = relative === null ? null : (state.home(relative)?.replica ?? null);
  if (home === null || !isOpen(question, home)) return null;
  return isAtThreshold(question, home, policy.spillThreshold) ? null : home;
}

/** Draining, and there is another replica to move to. */
function isDrained(question: Question, replica: number): boolean {
  return (
    question.fleet.replicas[replica]?.draining === true && someReplica(question, (other) => isOpen(question, other))
  );
}

/** The turns that run there finish there; the next one moves the home, to a replica that knows part of it if it can. */
function withHomeDrained(question: Question, home: Home): Decision | null {
  const { policy } = question;
  const hasRoom = (replica: number): boolean =>
    isOpen(question, replica) && !isAtThreshold(question, replica, policy.spillThreshold);
  const warm = warmReplica(question, home, hasRoom);
  const replica = warm ?? placement(question, policy.spillThreshold);
  if (replica === null) return null;
  const why = warm === null ? `has the least load (${loadOf(question, replica)})` : 'already holds part of it';
  const reason = `home ${home.replica} is draining; replica ${replica} ${why} and is its home now`;
  return { kind: 'placed', replica, home: replica, movedFrom: home.replica, reason };
}

function loadOf({ state }: Question, replica: number): string {
  const live = state.liveSessions(replica);
  return `${state.inFlight(replica)} in flight, ${live} live ${live === 1 ? 'session' : 'sessions'}`;
}

function withHomeUp(question: Question, known: Home): Decision {
  const { state, policy } = question;
  const home = known.replica;
  const situation = `home ${home} has ${state.inFlight(home)} in flight, threshold ${policy.spillThreshold}`;
  if (!isAtThreshold(question, home, policy.spillThreshold)) {
    return { kind: 'sticky', replica: home, home, reason: situation };
  }
  const target = spillTarget(question, known, policy.spillThreshold);
  if (target === null) {
    return { kind: 'sticky', replica: home, home, reason: `${situation}, but no other replica has fewer` };
  }
  const { replica, isWarm } = target;
  const reason = `${situation}; replica ${replica} ${isWarm ? 'already holds part of it' : 'has the least load'}`;
  if (!movesWithSpill(known)) return { kind: 'spilled', replica, home, reason };
  const moves = `${reason} and, after ${known.spillsInARow + 1} spills in a row, is its home now`;
  return { kind: 'spilled', replica, home: replica, movedFrom: home, reason: moves };
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
