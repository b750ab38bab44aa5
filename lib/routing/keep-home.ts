import { followsHome, type Question } from './decide.ts';
import type { Home, HomeEntry, HomeTable } from './homes.ts';
import { isUp } from './load.ts';
import type { Decision } from './types.ts';

/** A decision to be carried out. `earlier`: the home in which this same request was entered before it failed over. */
export type Order = {
  readonly decision: Decision;
  readonly question: Question;
  readonly now: number;
  readonly earlier: HomeEntry | null;
};

/** A conversation that is only ever one request below this size may be a one-shot prompt: it is forgotten early. */
const SMALL_BODY_BYTES = 16 * 1024;

/** What a replica further back knows of a conversation is old by then, and mostly evicted. */
const WARM_REPLICAS = 3;

/** Enters a decision in the home of its conversation, made where there was none. Null where the request follows none. */
export function keepHome(homes: HomeTable, order: Order): { readonly home: HomeEntry; readonly isNew: boolean } | null {
  const { decision, question, now, earlier } = order;
  const { request, policy } = question;
  if (request.key === null || decision.home === null) return null;
  if (decision.kind === 'client_pinned' || !followsHome(request, policy)) return null;

  const known = homes.get(request.key.hash);
  const isSmall = request.bodyBytes < SMALL_BODY_BYTES;
  const home = known ?? homes.add(request.key, decision.home, isSmall, now);
  if (known !== null) {
    if (known !== earlier) {
      known.turns += 1;
      known.small = false;
    }
    if (known.replica !== decision.home) homes.move(known, decision.home);
    homes.touch(known, now);
  }
  home.inFlight += 1;
  enterDecision(home, decision, question);
  return { home, isNew: known === null };
}

/**
 * The home as it was before a decision whose request never reached its replica: a spill that reached nobody is no
 * spill, and moves nothing. `replicaCount`: the replicas there are now.
 */
export function asBefore(home: Home, decision: Decision, replicaCount: number): Pick<Home, TakenBack> {
  const { kind, movedFrom } = decision;
  const isMoved = movedFrom !== undefined && movedFrom < replicaCount && home.replica === decision.home;
  const replica = isMoved ? movedFrom : home.replica;
  if (kind !== 'spilled') return { replica, spills: home.spills, spillsInARow: home.spillsInARow };
  // Where it had moved the home, the row was begun anew, and is not continued by going back.
  const inARow = movedFrom === undefined ? Math.max(0, home.spillsInARow - 1) : home.spillsInARow;
  return { replica, spills: home.spills - 1, spillsInARow: inARow };
}

type TakenBack = 'replica' | 'spills' | 'spillsInARow';

/** Takes a decision back out of the home in which it was entered. */
export function takeBack(homes: HomeTable, home: HomeEntry, before: Pick<Home, TakenBack>): void {
  if (home.replica !== before.replica) homes.move(home, before.replica);
  home.spills = before.spills;
  home.spillsInARow = before.spillsInARow;
}

/** A person moves a home: what its old replica holds of it is remembered, and no stand-in or row of spills goes on. */
export function moveByHand(homes: HomeTable, home: HomeEntry, replica: number): void {
  const before = home.replica;
  if (before === replica) return;
  homes.move(home, replica);
  home.standIn = null;
  home.warm = [before, ...home.warm.filter((other) => other !== before)].slice(0, WARM_REPLICAS);
}

function enterDecision(home: HomeEntry, decision: Decision, question: Question): void {
  const { kind, replica, movedFrom } = decision;
  home.lastDecision = kind;
  if (kind === 'sticky') {
    home.spillsInARow = 0;
    return;
  }
  if (kind === 'spilled') {
    home.spills += 1;
    if (movedFrom === undefined) home.spillsInARow += 1;
  }
  if (kind === 'failed_over' && !isUp(question, home.replica)) home.standIn = replica;
  const served = [replica, movedFrom ?? null, ...home.warm].filter((one) => one !== null);
  const elsewhere = new Set(served.filter((one) => one !== home.replica && !question.unreachable.includes(one)));
  home.warm = [...elsewhere].slice(0, WARM_REPLICAS);
}
