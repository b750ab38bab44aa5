import * as z from 'zod';

const member = z.object({
  id: z.string(),
  url: z.string(),
  version: z.string(),
  started_at: z.string(),
  /** The warden that answers. */
  self: z.boolean(),
  models: z.array(z.object({ model: z.string(), in_flight: z.number(), held: z.number(), live_sessions: z.number() })),
});
export type FleetMember = z.infer<typeof member>;

/** `GET /api/fleet`: the wardens that share one memory. */
export const fleetState = z.object({
  /** False: this warden is alone, and the rest says so. */
  shared: z.boolean(),
  /** null where nothing is shared. */
  shared_memory_up: z.boolean().nullable(),
  /** Why it is away; null while it is not. */
  shared_memory_error: z.string().nullable(),
  /** Keys, people and sign-ins are the fleet's; false: this warden's own. */
  access_shared: z.boolean(),
  /** `live_sessions`: of those that this warden was the first to place, so that the sum counts each once. */
  members: z.array(member),
  /** Requests in flight by model and replica, of all wardens together. */
  replicas: z.array(
    z.object({
      model: z.string(),
      replica: z.number(),
      url: z.string(),
      in_flight_here: z.number(),
      in_flight_elsewhere: z.number(),
    }),
  ),
});
export type FleetState = z.infer<typeof fleetState>;
