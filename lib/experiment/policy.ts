import type { FleetView } from '#lib/routing/types.ts';
import type { SimulationClock } from '#lib/simulation/clock.ts';

/** The policies of an experiment, spelled as on the command line. */
export const POLICY_NAMES = [
  'off',
  'off-0.27',
  'hash',
  'affinity',
  'cache-fit',
  'cache-fit-3',
  'cache-fit-3-dealt',
] as const;
export type PolicyName = (typeof POLICY_NAMES)[number];

/** A request as a router in front of the engine sees it: its key and its size, nothing of the plan behind it. */
export type PolicyRequest = { readonly key: string; readonly bodyBytes: number };

/** The engine's own count for a request that has ended. */
export type PolicyUsage = {
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
};

/** `replica` null: the engine's balancer chooses. `stayed`: on its home; null where there is none to speak of. */
export type Dispatch = { readonly replica: number | null; readonly stayed: boolean | null };

/**
 * Decides where requests go, and when: `submit` calls `send` once, at once or at any later time. So a policy may hold
 * a request back, with a timer of the context's clock or until another one has ended.
 */
export type Policy = {
  submit(request: PolicyRequest, send: (dispatch: Dispatch) => void): void;
  /** The answer's first byte is at the router. */
  answering?(request: PolicyRequest): void;
  /** The answer is complete at the router. */
  ended(request: PolicyRequest, usage: PolicyUsage): void;
};

export type PolicyContext = {
  readonly replicaCount: number;
  /** What the engine reports of itself. */
  readonly kvCapacityTokens: number;
  readonly spillThreshold: number;
  readonly clock: SimulationClock;
  /** The engine's gauges as of the last poll, up to two seconds old. */
  readings(): FleetView;
};
