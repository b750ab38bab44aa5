import { followsHome } from '#lib/routing/decide.ts';
import type { RoutedRequest, RoutingPolicy } from '#lib/routing/types.ts';
import type { SharedModel } from '#server/fleet/shared-model.ts';
import type { ClockedRouter } from './clocked-router.ts';
import type { Placement } from './placement.ts';

export type SharedPlacing = {
  readonly shared: SharedModel;
  readonly router: Pick<ClockedRouter, 'adopt'>;
  readonly policy: RoutingPolicy;
  readonly request: RoutedRequest;
  /** Takes a place by this warden's own rules; null where no replica is up. */
  readonly place: () => Placement | null;
  /** Down for so long, or from the start, that no cache is expected there. */
  readonly isGone: (replica: number) => boolean;
};

/**
 * Takes a place among several wardens. One that knows where the conversation lives asks nobody. Otherwise the place is
 * taken first, so that it counts, and the memory is asked whether the home may be there: where another warden was
 * first, the place is given back and taken at home. While the memory is away every warden goes by itself.
 */
export async function placeShared(placing: SharedPlacing): Promise<Placement | null> {
  const { shared, router, policy, request, place, isGone } = placing;
  const { key } = request;
  const placement = place();
  const home = placement?.decision.home ?? null;
  if (placement === null || key === null || home === null || !followsHome(request, policy)) return placement;
  if (placement.decision.kind === 'client_pinned') return placement;
  if (tellMove(shared, placement, request)) return placement;
  // One that is placed had lost its home here, as when its engine restarted: where it lives now is the fleet's to say.
  if (shared.isConfirmed(key.hash) && placement.decision.kind !== 'placed') {
    shared.used(key.hash, home);
    return placement;
  }
  const inForce = await shared.claim(key, home, isGone);
  // Also where this warden happened to choose the home that it has: it is at home there, not placed.
  const isAsDecided = inForce?.replica === home && (inForce.isNew || placement.decision.kind !== 'placed');
  if (inForce === null || isAsDecided) return placement;
  placement.withdraw();
  router.adopt(key, inForce.replica);
  const atHome = place();
  if (atHome !== null) tellMove(shared, atHome, request);
  return atHome;
}

/** True where this decision moved the conversation; the other wardens are told. */
function tellMove(shared: SharedModel, { decision }: Placement, { key }: RoutedRequest): boolean {
  if (key === null || decision.home === null || decision.movedFrom === undefined) return false;
  shared.moved(key, decision.home, false);
  return true;
}
