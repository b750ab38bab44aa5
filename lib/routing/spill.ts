import type { Home } from './homes.ts';
import { isOpen, leastLoaded, type Situation } from './load.ts';

/**
 * A conversation that spills this often in a row moves: by then the replicas it was sent to know its latest turns, and
 * its home does not.
 */
const SPILLS_UNTIL_MOVE = 3;

/** The threshold where none is set: a quarter of what the engine runs at once, 8 for `max_num_seqs` 32. */
export function autoSpillThreshold(maxNumSeqs: number): number {
  return Math.max(1, Math.floor(maxNumSeqs / 4));
}

/** In-flight requests are counted before the request in question is added: at threshold 8, the ninth is over. */
export function isAtThreshold({ state }: Situation, replica: number, spillThreshold: number): boolean {
  return state.inFlight(replica) >= spillThreshold;
}

/** True where a spill now is one too many in a row, so that the home moves to where it goes. */
export function movesWithSpill(home: Home): boolean {
  return home.spillsInARow + 1 >= SPILLS_UNTIL_MOVE;
}

/** `isWarm`: chosen because it already holds part of the conversation. */
type SpillTarget = { readonly replica: number; readonly isWarm: boolean };

/**
 * Where to send a request whose home is at its threshold, among the open replicas with fewer requests in flight than
 * the home: one below the threshold that holds part of the conversation, else the least-loaded one below the threshold,
 * else the least-loaded one. Null where staying home is no worse.
 */
export function spillTarget(situation: Situation, home: Home, spillThreshold: number): SpillTarget | null {
  const atHome = situation.state.inFlight(home.replica);
  const relieves = (replica: number): boolean =>
    replica !== home.replica && isOpen(situation, replica) && situation.state.inFlight(replica) < atHome;
  const belowThreshold = (replica: number): boolean =>
    relieves(replica) && !isAtThreshold(situation, replica, spillThreshold);
  const warm = warmReplica(situation, home, belowThreshold);
  if (warm !== null) return { replica: warm, isWarm: true };
  const replica = leastLoaded(situation, belowThreshold) ?? leastLoaded(situation, relieves);
  return replica === null ? null : { replica, isWarm: false };
}

/** The least-loaded of the eligible replicas that hold part of the conversation; null where there is none. */
export function warmReplica(situation: Situation, home: Home, eligible: (replica: number) => boolean): number | null {
  if (home.warm.length === 0) return null;
  return leastLoaded(situation, (replica) => home.warm.includes(replica) && eligible(replica));
}
