import { because } from '#lib/routing/reason.ts';
import type { Decision } from '#lib/routing/types.ts';
import type { AdmissionPass } from './admission-pass.ts';

/**
 * The decision with admission's reason: for a turn that it gave a replica, all others look to the router as if they
 * drained, which is not what a person should read.
 */
export function admittedDecision(decision: Decision, { replica, gaveWay }: AdmissionPass): Decision {
  const { kind, movedFrom: home, why } = decision;
  if (replica === null || decision.replica !== replica) return decision;
  if (kind === 'placed' && home !== undefined) {
    return { ...decision, ...because(gaveWay ? 'gave_way' : 'room_elsewhere', { home, replica }) };
  }
  if (kind === 'placed') return { ...decision, ...because('room_for_new', { replica }) };
  return why.code === 'none_freer' ? { ...decision, ...because('place_kept', why.values) } : decision;
}
