import type { FleetView, Lease, RoutedRequest } from '#lib/routing/types.ts';
import type { AdmissionPass } from './admission-pass.ts';
import { admittedDecision } from './admitted-decision.ts';
import type { ClockedRouter } from './clocked-router.ts';
import type { FleetMembership } from './fleet-membership.ts';
import type { Flight, InFlightRequests } from './in-flight.ts';
import type { Placement } from './placement.ts';
import type { EffectivePolicy } from './policy.ts';
import type { Replicas } from './replicas.ts';
import type { SessionActivities } from './session-activity.ts';

/** The parts of a model that a place has to do with. */
export type Granting = {
  readonly router: ClockedRouter;
  readonly replicas: Replicas;
  readonly membership: FleetMembership;
  readonly sessions: SessionActivities;
  readonly inFlight: InFlightRequests;
  /** As they are at the moment. */
  readonly view: () => FleetView;
  readonly policy: () => EffectivePolicy;
  /** Homes or counters are others now. */
  readonly onChange: () => void;
};

/** A request with the place that it has and the pass that it came with. */
export type Placed = { readonly lease: Lease; readonly request: RoutedRequest; readonly pass: AdmissionPass };

/** When a request took its place, and the client that it is of. */
export type FlightOrigin = { readonly startedAt: number; readonly client: string | null };

/**
 * The place that a lease grants, until it is given back or exchanged. `origin`: who asks and since when, or the flight
 * of a request that moves on to this lease.
 */
export function grantedPlacement(granting: Granting, placed: Placed, origin: FlightOrigin | Flight): Placement {
  const { router, replicas, membership, sessions, inFlight, onChange } = granting;
  const { lease, request, pass } = placed;
  const decision = admittedDecision(lease.decision, pass);
  const place = replicas.placeFor(decision.replica);
  // On several URLs with ranks each, an endpoint without the pin reaches the URL, but the rank stays the engine's.
  const engineChooses = decision.replica === null || (request.unpinnable !== null && place.process.ranks > 1);
  const witness = replicas.witness(place.process);
  const replica = engineChooses ? null : decision.replica;
  const flight = 'ended' in origin ? origin : inFlight.started({ ...origin, request, decision, replica });
  if (flight === origin) flight.movedTo(decision, replica);
  return {
    decision,
    replica,
    target: { url: place.process.url, rank: engineChooses ? null : place.rank },
    answered: () => witness.answered(),
    firstByte: (at) => flight.firstByte(at),
    answering: () => pass.answering(),
    broke: (message) => witness.broke(message),
    release: (complete, usage) => {
      witness.ended(complete);
      flight.ended();
      router.release(lease);
      onChange();
      membership.loadChanged(decision.replica);
      pass.finished(usage);
    },
    withdraw: () => {
      flight.ended();
      witness.ended(false);
      router.withdraw(lease);
      onChange();
      membership.loadChanged(decision.replica);
      if (request.key !== null && request.role === 'turn')
        sessions.withdrawn(request.key.hash, lease.decision.kind, pass.gaveWay);
    },
    unreachable: () => witness.unreachable(),
    failOver: () => {
      const other = failedOver(granting, placed);
      return other === null ? null : grantedPlacement(granting, { lease: other, request, pass }, flight);
    },
  };
}

/** The lease on another replica in exchange for one that could not be reached; null where there is none. */
function failedOver(granting: Granting, { lease, request, pass }: Placed): Lease | null {
  const { router, membership, sessions, view, policy, onChange } = granting;
  const other = router.failOver(lease, request, view(), policy());
  if (other === null) return null;
  const [first, second] = [lease.decision, other.decision];
  onChange();
  membership.loadChanged(first.replica);
  membership.loadChanged(second.replica);
  // The home that this request had made moved along, and the other wardens have heard of the first one.
  if (request.key !== null && second.home !== null && second.home !== first.home)
    membership.moved(request.key, second.home, false);
  if (request.key !== null && request.role === 'turn') sessions.movedOn(request.key.hash, first.kind, second.kind);
  pass.placed(second.replica, false);
  return other;
}
