import type { BalancerKind } from '#lib/simulation/balancer.ts';
import type { EngineProfile, PresetName } from '#lib/simulation/profile.ts';

/** All plain data, so that they can be sent to a worker thread. */
export type SimulatedFleetOptions = {
  readonly host?: string;
  /** 0 (the default): any free port. */
  readonly port?: number;
  /** Data-parallel ranks behind the URL; 4. One is a plain single-replica server. */
  readonly replicas?: number;
  readonly servedModelName?: string;
  /** A preset's name (`demo`) or a profile of one's own. */
  readonly preset?: PresetName | EngineProfile;
  /** 10 runs ten times faster than the profile says. */
  readonly speed?: number;
  readonly version?: string;
  /** vLLM's `--enable-prompt-tokens-details`: whether usage says what came from the cache. On. */
  readonly promptTokensDetails?: boolean;
  /** For requests without a rank header: `load-aware` (vLLM 0.27 and later) or `round-robin` (before). */
  readonly balancer?: BalancerKind;
  /** Where set, everything under `/v1` wants `Authorization: Bearer`. */
  readonly apiKey?: string;
  /** Same seed, same answers. */
  readonly seed?: number;
  /** vLLM's `VLLM_SERVER_DEV_MODE`: `/server_info` tells what the engine was started with. Off. */
  readonly devMode?: boolean;
  /** For tests: opens a port on loopback through which the fleet can be made to fail. Off. */
  readonly control?: boolean;
};

/** The options with their defaults filled in, without what belongs to the listening socket. */
export type EngineSettings = {
  readonly replicas: number;
  readonly servedModelName: string;
  readonly profile: EngineProfile;
  readonly speed: number;
  readonly version: string;
  readonly promptTokensDetails: boolean;
  readonly balancer: BalancerKind;
  readonly apiKey: string | null;
  readonly seed: number;
  readonly devMode: boolean;
};

/** One replica as the fleet itself sees it (tests compare it with what `/metrics` and the router say). */
export type ReplicaReport = {
  readonly running: number;
  readonly waiting: number;
  readonly kvUsage: number;
  /** Requests finished, all reasons; `aborted` are those whose client left. */
  readonly finished: number;
  readonly aborted: number;
  readonly cachedTokens: number;
  readonly computedTokens: number;
  readonly generationTokens: number;
};

export type SimulatedFleet = {
  readonly url: string;
  readonly servedModelName: string;
  gauges(): ReplicaReport[];
  /** As if the server process died and came back on its port: connections reset, caches empty, counters at zero. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** A fleet with its control port's address; null where none was asked for. */
export type StartedFleet = SimulatedFleet & { readonly controlUrl: string | null };
