import type { FleetView } from '#lib/routing/types.ts';

/**
 * The fleet as the router is to see it for a turn that admission has given a replica: the others take no new work, so
 * the conversation's home is there from now on. Null: the router's own rules decide.
 */
export function confine(fleet: FleetView, replica: number | null): FleetView {
  if (replica === null || fleet.replicas[replica]?.up !== true) return fleet;
  return { ...fleet, replicas: fleet.replicas.map((one, at) => (at === replica ? one : { ...one, draining: true })) };
}
