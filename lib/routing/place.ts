import { leastLoaded, type Situation, takingNewWork } from './load.ts';
import { isAtThreshold } from './spill.ts';

/**
 * The home of a conversation that has none: the least-loaded replica below the spill threshold; where all are at it,
 * the least-loaded one. The first request goes there too, so that its cache and its home are in one place.
 */
export function placement(situation: Situation, spillThreshold: number): number | null {
  const takesNew = takingNewWork(situation);
  const hasRoom = (replica: number): boolean => takesNew(replica) && !isAtThreshold(situation, replica, spillThreshold);
  return leastLoaded(situation, hasRoom) ?? leastLoaded(situation, takesNew);
}
