import { followsHome, type Question } from './decide.ts';
import type { HomeEntry, HomeTable } from './homes.ts';
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

/** A spill that never reached its replica is no spill. */
export function takeBackSpill(home: HomeEntry): void {
  home.spills -= 1;
  home.spillsInARow = Math.max(0, home.spillsInARow - 1);
}

function enterDecision(home: HomeEntry, { kind, replica }: Decision, question: Question): void {
  home.lastDecision = kind;
  if (kind === 'sticky') home.spillsInARow = 0;
  if (kind === 'spilled') {
    home.spills += 1;
    home.spillsInARow += 1;
  }
  if (kind === 'failed_over' && !isUp(question, home.replica)) home.standIn = replica;
}
