import { isOpen, leastLoaded, type Situation } from './load.ts';

/** The threshold where none is set: a quarter of what the engine runs at once, 8 for `max_num_seqs` 32. */
export function autoSpillThreshold(maxNumSeqs: number): number {
  return Math.max(1, Math.floor(maxNumSeqs / 4));
}

/** In-flight requests are counted before the request in question is added: at threshold 8, the ninth is over. */
export function isAtThreshold({ state }: Situation, replica: number, spillThreshold: number): boolean {
  return state.inFlight(replica) >= spillThreshold;
}

/**
 * Where to send a request whose home is at its threshold: the least-loaded replica with fewer requests in flight than
 * the home, preferably one below the threshold itself. Null where staying home is no worse.
 */
export function spillTarget(situation: Situation, home: number, spillThreshold: number): number | null {
  const atHome = situation.state.inFlight(home);
  const relieves = (replica: number): boolean =>
    replica !== home && isOpen(situation, replica) && situation.state.inFlight(replica) < atHome;
  const belowThreshold = (replica: number): boolean =>
    relieves(replica) && !isAtThreshold(situation, replica, spillThreshold);
  return leastLoaded(situation, belowThreshold) ?? leastLoaded(situation, relieves);
}
