import type { FleetState } from '#lib/contract/fleet.ts';
import type { MemberInfo } from '#server/fleet/fleet.ts';
import type { ApiCall } from './handlers.ts';

/** `GET /api/fleet` */
export async function getFleet({ context }: ApiCall): Promise<FleetState> {
  const { wardens, registry, access } = context;
  if (wardens === null) {
    const alone = { shared: false, shared_memory_up: null, shared_memory_error: null, access_shared: false };
    return { ...alone, members: [], replicas: [] };
  }
  return {
    shared: true,
    shared_memory_up: wardens.isUp,
    shared_memory_error: wardens.awayBecause,
    access_shared: access.isShared,
    members: wardens.members().map((member) => memberOf(member, wardens.id)),
    replicas: registry.models().flatMap((model) =>
      model.replicas.map(([replica, { process }]) => ({
        model: model.name,
        replica,
        url: process.url,
        in_flight_here: model.router.inFlight(replica),
        in_flight_elsewhere: model.inFlightElsewhere(replica),
      })),
    ),
  };
}

function memberOf({ models, ...about }: MemberInfo, self: string): FleetState['members'][number] {
  return {
    ...about,
    self: about.id === self,
    models: Object.entries(models).map(([model, { in_flight, held, live_sessions }]) => ({
      model,
      in_flight,
      held,
      live_sessions: Object.values(live_sessions).reduce((sum, count) => sum + count, 0),
    })),
  };
}
