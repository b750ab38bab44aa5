import { createFleet, type Fleet } from '#lib/simulation/fleet.ts';
import type { EngineSettings, ReplicaReport } from './fleet-options.ts';
import { FIRST_TOKEN_BOUNDS, LatencyHistogram, REQUEST_BOUNDS } from './latency-histogram.ts';
import { createRealTime, type RealTime } from './real-time.ts';

/** Everything that dies with a server process: caches, queues, counters, its start time. */
export type EngineProcess = {
  readonly settings: EngineSettings;
  readonly clock: RealTime;
  readonly fleet: Fleet;
  /** One of each per replica; seconds as a client's watch shows them. */
  readonly firstToken: readonly LatencyHistogram[];
  readonly requestTime: readonly LatencyHistogram[];
  /** Unix seconds. */
  readonly startedAt: number;
};

export function startEngineProcess(settings: EngineSettings): EngineProcess {
  const clock = createRealTime(settings.speed);
  const histograms = (bounds: readonly number[]) =>
    Array.from({ length: settings.replicas }, () => new LatencyHistogram(bounds));
  return {
    settings,
    clock,
    fleet: createFleet({
      profile: settings.profile,
      replicas: settings.replicas,
      balancer: settings.balancer,
      apiServers: settings.replicas,
      clock,
      seed: settings.seed,
    }),
    firstToken: histograms(FIRST_TOKEN_BOUNDS),
    requestTime: histograms(REQUEST_BOUNDS),
    startedAt: Date.now() / 1000,
  };
}

export function reportReplicas(engine: EngineProcess): ReplicaReport[] {
  return engine.fleet.replicas.map((replica) => {
    const { counters } = replica;
    const { stop, length, abort } = counters.finished;
    return {
      ...replica.gauges(),
      finished: stop + length + abort,
      aborted: abort,
      cachedTokens: counters.cachedTokens,
      computedTokens: counters.computedTokens,
      generationTokens: counters.generationTokens,
    };
  });
}
