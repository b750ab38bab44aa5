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
import { because, type ReasonValues } from './reason.ts';
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
    const why = because('asked_for', { replica: request.pin });
    return { kind: 'client_pinned', replica: request.pin, home: homeOf(question)?.replica ?? null, ...why };
  }
  if (!someReplica(question, (replica) => isUp(question, replica))) return null;
  if (request.unpinnable !== null) return unrouted(question, 'cannot_be_pinned', { why: request.unpinnable });
  if (!policy.affinity) return unrouted(question, 'affinity_off', {});
  if (request.role === 'side') return balanced(question, 'side_request', { side: request.sideReason ?? 'not a turn' });
  if (request.key === null) return balanced(question, 'no_key', {});

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
    ...because('unreachable', { unreachable: question.unreachable.at(-1) ?? '', replica: next.replica }),
  };
}

function placed(question: Question): Decision | null {
  const beside = relativesReplica(question);
  if (beside !== null) {
    return { kind: 'placed', replica: beside, home: beside, ...because('beside_relative', { replica: beside }) };
  }
  const agreed = agreedReplica(question);
  if (agreed !== null) {
    return { kind: 'placed', replica: agreed, home: agreed, ...because('agreed', { replica: agreed }) };
  }
  const replica = placement(question, question.policy.spillThreshold);
  if (replica === null) return null;
  return { kind: 'placed', replica, home: replica, ...because('least_load', loadOf(question, replica)) };
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
  const values = { home: home.replica, warm: warm === null ? 'no' : 'yes', ...loadOf(question, replica) };
  return { kind: 'placed', replica, home: replica, movedFrom: home.replica, ...because('home_drains', values) };
}

function loadOf({ state }: Question, replica: number): ReasonValues {
  return { replica, in_flight: state.inFlight(replica), live: state.liveSessions(replica) };
}

function withHomeUp(question: Question, known: Home): Decision {
  const { state, policy } = question;
  const home = known.replica;
  const situation = { home, in_flight: state.inFlight(home), threshold: policy.spillThreshold };
  if (!isAtThreshold(question, home, policy.spillThreshold)) {
    return { kind: 'sticky', replica: home, home, ...because('at_home', situation) };
  }
  const target = spillTarget(question, known, policy.spillThreshold);
  if (target === null) {
    return { kind: 'sticky', replica: home, home, ...because('none_freer', situation) };
  }
  const { replica, isWarm } = target;
  const values = { ...situation, replica, warm: isWarm ? 'yes' : 'no' };
  if (!movesWithSpill(known)) return { kind: 'spilled', replica, home, ...because('home_busy', values) };
  const moves = because('home_moves', { ...values, spills: known.spillsInARow + 1 });
  return { kind: 'spilled', replica, home: replica, movedFrom: home, ...moves };
}

function withHomeDown(question: Question, home: Home): Decision | null {
  if (home.standIn !== null && isUp(question, home.standIn)) {
    const why = because('stands_in_again', { home: home.replica, replica: home.standIn });
    return { kind: 'failed_over', replica: home.standIn, home: home.replica, ...why };
  }
  const replica = leastLoaded(question, takingNewWork(question));
  if (replica === null) return null;
  const why = because('stands_in', { home: home.replica, replica });
  return { kind: 'failed_over', replica, home: home.replica, ...why };
}

function balanced(question: Question, code: 'side_request' | 'no_key', values: ReasonValues): Decision | null {
  const replica = leastLoaded(question, takingNewWork(question));
  if (replica === null) return null;
  return {
    kind: 'balanced',
    replica,
    home: homeOf(question)?.replica ?? null,
    ...because(code, { ...values, replica }),
  };
}

function unrouted(
  question: Question,
  code: 'affinity_off' | 'cannot_be_pinned',
  values: ReasonValues,
): Decision | null {
  const home = homeOf(question)?.replica ?? null;
  if (question.fleet.engineBalances) return { kind: 'unrouted', replica: null, home, ...because(code, values) };
  const replica = engineRuleChoice(question);
  if (replica === null) return null;
  return { kind: 'unrouted', replica, home, ...because(code, { ...values, replica }) };
}

function homeOf({ request, state }: Question): Home | null {
  return request.key === null ? null : state.home(request.key.hash);
}
