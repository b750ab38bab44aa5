import type { ModelOrigin, ModelSummary } from '#lib/contract/models.ts';
import { freshReading } from '#server/router/engine-process.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { ModelActivity } from '#server/store/store.ts';
import { admissionState } from './admission-state.ts';
import { modelHealth, placeHealth, routingTotals } from './model-state.ts';

const LIVE_MS = 5 * 60_000;
const percent = (share: number | null): number | null => (share === null ? null : share * 100);
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** Bars of `cache_hit_percent_series` where nothing was stored of a model. */
const NOTHING_MEASURED: readonly null[] = Array.from({ length: 30 }, () => null);

type Summary = {
  readonly model: ModelRuntime;
  readonly origin: ModelOrigin;
  /** Null where no request of it finished in the last hour. */
  readonly activity: ModelActivity | null;
  readonly now: number;
};

/** One entry of `GET /api/models`. */
export function modelSummary({ model, origin, activity, now }: Summary): ModelSummary {
  const replicas = replicaSummaries(model, now);
  const { sticky_percent } = routingTotals(model);
  return {
    name: model.name,
    served_model_name: model.servedModelName,
    aliases: [...model.aliases],
    simulated: model.simulated,
    origin,
    health: modelHealth(model),
    replica_count: model.replicas.length,
    replicas_up: replicas.filter((replica) => replica.health === 'up').length,
    affinity: model.policy.affinity,
    cache_fit: model.policy.cacheFit,
    spill_threshold: model.policy.spillThreshold,
    spill_threshold_source: model.policy.thresholdSource,
    live_sessions: model.router.liveSessionsTotal(),
    in_flight: model.router.inFlightTotal(),
    sticky_percent,
    typical_context_tokens: typicalContext(model, now),
    fit: admissionState(model).rule,
    kv_capacity_tokens: sumOrNull(replicas.map((replica) => replica.kv_capacity_tokens)),
    ...activityFields(activity),
    replicas,
  };
}

type ActivityFields = Pick<
  ModelSummary,
  | 'requests_1h'
  | 'cache_hit_percent_1h'
  | 'cache_hit_percent_series'
  | 'ttfb_p50_seconds_15m'
  | 'ttfb_p95_seconds_15m'
  | 'prompt_tokens_per_second_5m'
  | 'completion_tokens_per_second_5m'
>;

function activityFields(activity: ModelActivity | null): ActivityFields {
  return {
    requests_1h: activity?.requests ?? 0,
    cache_hit_percent_1h: percent(activity?.hitShare ?? null),
    cache_hit_percent_series: (activity?.hitShares ?? NOTHING_MEASURED).map(percent),
    ttfb_p50_seconds_15m: seconds(activity?.ttfbP50Ms ?? null),
    ttfb_p95_seconds_15m: seconds(activity?.ttfbP95Ms ?? null),
    prompt_tokens_per_second_5m: activity?.promptTokensPerSecond ?? 0,
    completion_tokens_per_second_5m: activity?.completionTokensPerSecond ?? 0,
  };
}

function replicaSummaries(model: ModelRuntime, now: number): ModelSummary['replicas'] {
  return model.replicas.map(([replica, place]) => {
    const rank = freshReading(place.process, now)?.ranks[place.position] ?? null;
    return {
      replica,
      health: placeHealth(place),
      draining: model.isDraining(replica),
      in_flight: model.router.inFlight(replica),
      kv_cache_usage_percent: percent(rank?.kvUsage ?? null),
      kv_capacity_tokens: rank?.kvCapacityTokens ?? null,
    };
  });
}

/** Median context of the conversations used in the last five minutes; null where none has been counted. */
export function typicalContext(model: ModelRuntime, now: number): number | null {
  const contexts: number[] = [];
  for (const home of model.router.homes()) {
    // Most recently used first.
    if (now - home.lastUsedAt >= LIVE_MS) break;
    const tokens = model.sessions.get(home.keyHash)?.contextTokens ?? null;
    if (tokens !== null) contexts.push(tokens);
  }
  contexts.sort((a, b) => a - b);
  return contexts[Math.floor(contexts.length / 2)] ?? null;
}

/** A sum with an unknown part is unknown. */
function sumOrNull(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}
