import type { FleetView, ReplicaView, RoutedRequest, RoutingPolicy } from './types.ts';

/** Requests, fleets and policies for this folder's tests: an ordinary one, with what the test is about changed. */
export function turn(hash: string | null, changes: Partial<RoutedRequest> = {}): RoutedRequest {
  const key = hash === null ? null : { hash, source: 'x-session-id' };
  return { key, role: 'turn', sideReason: null, pin: null, unpinnable: null, bodyBytes: 50_000, ...changes };
}

export function side(hash: string | null, reason: string): RoutedRequest {
  return turn(hash, { role: 'side', sideReason: reason, bodyBytes: 4000 });
}

export function fleet(...replicas: readonly Partial<ReplicaView>[]): FleetView {
  const idle = { up: true, draining: false, kvUsage: 0, running: 0, waiting: 0 };
  return { replicas: replicas.map((changes) => ({ ...idle, ...changes })), engineBalances: false };
}

export function idleFleet(count: number): FleetView {
  return fleet(...Array.from({ length: count }, () => ({})));
}

export const AFFINITY: RoutingPolicy = { affinity: true, spillThreshold: 2 };
export const NO_AFFINITY: RoutingPolicy = { affinity: false, spillThreshold: 2 };
