import { FIGURES_WINDOW_SECONDS, type FleetFigures, type FleetState, type OwnFigures } from '#lib/contract/fleet.ts';
import type { MemberInfo } from '#server/fleet/fleet.ts';
import { ProblemError } from '#server/http/respond.ts';
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

/** `GET /api/fleet/figures` */
export async function getFleetFigures({ context: { figures } }: ApiCall): Promise<FleetFigures> {
  const alone = { shared: false, window_seconds: FIGURES_WINDOW_SECONDS, wardens: [], together: null };
  return (await figures?.read()) ?? alone;
}

/** `GET /api/fleet/figures/own` */
export async function getOwnFigures({ context: { figures } }: ApiCall): Promise<OwnFigures> {
  if (figures !== null) return figures.own();
  throw new ProblemError(404, 'Not in a fleet', 'This warden shares no memory with others (WARDEN_SHARED).');
}

function memberOf({ models, id, url, version, started_at }: MemberInfo, self: string): FleetState['members'][number] {
  return {
    ...{ id, url, version, started_at },
    self: id === self,
    models: Object.entries(models).map(([model, { in_flight, held, live_sessions }]) => ({
      model,
      in_flight,
      held,
      live_sessions: Object.values(live_sessions).reduce((sum, count) => sum + count, 0),
    })),
  };
}
