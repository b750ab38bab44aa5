import type { EngineProfile } from '#lib/simulation/profile.ts';

/** The machine under test and its distance from the clients. */
export type Box = {
  readonly profile: EngineProfile;
  readonly replicas: number;
  /** API-server processes; a connection, and with it a request, goes to any of them. */
  readonly apiServers: number;
  readonly spillThreshold: number;
  /** There and back between client and router, in ms: half of it each way. */
  readonly roundTripMs: number;
};
