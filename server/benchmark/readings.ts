import type { ModelReadings } from '#lib/contract/benchmark.ts';
import { freshReading } from '#server/router/engine-process.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const latest = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
};

/** The engine's counters as of its last poll, and the router's own; what is too old counts as not reported. */
export function modelReadings(model: ModelRuntime, now: number): ModelReadings {
  const { policy, processes, router } = model;
  const { replicas: tallies, unrouted } = router.tally();
  const routed = tallies.reduce(
    (sum, tally) =>
      sum + tally.placed + tally.sticky + tally.spilledIn + tally.failedOverIn + tally.clientPinned + tally.balanced,
    0,
  );
  const versions = [...new Set(processes.flatMap((process) => process.facts?.version ?? []))];
  return {
    model: model.name,
    simulated: model.simulated,
    affinity: policy.affinity,
    cache_fit: policy.cacheFit,
    spill_threshold: policy.spillThreshold,
    max_num_seqs: policy.maxNumSeqs,
    max_model_len: model.maxModelLen,
    engine_version: versions.length > 0 ? versions.join(', ') : null,
    engine_restarted_at: iso(latest(processes.map((process) => process.restartedAt))),
    taken_at: iso(latest(processes.map((process) => process.reading?.takenAt ?? null))),
    at: new Date(now).toISOString(),
    in_flight: router.inFlightTotal(),
    requests_total: routed + unrouted,
    last_used_at: iso(latest([...router.homes()].map((home) => home.lastUsedAt))),
    replicas: model.places.map((place) => {
      const rank = freshReading(place.process, now)?.ranks[place.position] ?? null;
      return {
        requests_running: rank?.running ?? null,
        cached_tokens: rank?.cachedTokens ?? null,
        computed_tokens: rank?.computedTokens ?? null,
        kv_capacity_tokens: rank?.kvCapacityTokens ?? null,
      };
    }),
  };
}
