import type { Health, ReplicaRouting, RoutingState } from '#lib/contract/models.ts';
import { UNPINNED_WORK } from '#lib/engine/endpoints.ts';
import { engineLacks, LACK_SENTENCES } from '#lib/engine/engine-lacks.ts';
import type { RankReading } from '#lib/engine/types.ts';
import { stickyPercent } from '#lib/routing/tally.ts';
import { freshReading, type ReplicaPlace } from '#server/router/engine-process.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import { ASSUMED_MAX_NUM_SEQS } from '#server/router/policy.ts';
import { admissionState } from './admission-state.ts';

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const percent = (share: number | null): number | null => (share === null ? null : share * 100);

export function placeHealth(place: ReplicaPlace): Health {
  return place.process.up ? 'up' : 'down';
}

/** `degraded`: some replicas are down; `down`: all are. */
export function modelHealth(model: ModelRuntime): Health {
  const up = model.replicas.filter(([, place]) => place.process.up).length;
  if (up === 0) return 'down';
  return up === model.replicas.length ? 'up' : 'degraded';
}

/** What the router has counted of the model. */
export function routingTotals(model: ModelRuntime): RoutingState['totals'] {
  const { replicas, unrouted } = model.router.tally();
  const sum = (pick: (tally: (typeof replicas)[number]) => number): number =>
    replicas.reduce((total, tally) => total + pick(tally), 0);
  const sticky = sum((tally) => tally.sticky);
  const spilled = sum((tally) => tally.spilledIn);
  return {
    in_flight: model.router.inFlightTotal(),
    placed: sum((tally) => tally.placed),
    sticky,
    spilled,
    failed_over: sum((tally) => tally.failedOverIn),
    client_pinned: sum((tally) => tally.clientPinned),
    balanced: sum((tally) => tally.balanced),
    unrouted,
    sticky_percent: stickyPercent(replicas),
  };
}

/** `GET /api/models/{name}/routing`: the Data-parallel routing card. */
export function routingState(model: ModelRuntime, now: number): RoutingState {
  const { policy } = model;
  const { replicas: tallies } = model.router.tally();
  return {
    model: model.name,
    simulated: model.simulated,
    health: modelHealth(model),
    affinity: policy.affinity,
    cache_fit: policy.cacheFit,
    spill_threshold: policy.spillThreshold,
    spill_threshold_source: policy.thresholdSource,
    spill_threshold_auto: policy.autoThreshold,
    max_num_seqs: policy.maxNumSeqs,
    max_num_seqs_source: policy.maxNumSeqsSource,
    max_num_seqs_assumed: policy.maxNumSeqs === null ? ASSUMED_MAX_NUM_SEQS : null,
    since: new Date(model.since).toISOString(),
    totals: routingTotals(model),
    replicas: model.replicas.map(([replica, place]) => {
      const tally = tallies[replica];
      const counts = {
        draining: model.isDraining(replica),
        in_flight: model.router.inFlight(replica),
        live_sessions: model.router.liveSessions(replica),
        placed: tally?.placed ?? 0,
        sticky: tally?.sticky ?? 0,
        spilled_in: tally?.spilledIn ?? 0,
        failed_over_in: tally?.failedOverIn ?? 0,
        client_pinned: tally?.clientPinned ?? 0,
      };
      const rank = freshReading(place.process, now)?.ranks[place.position] ?? null;
      return { ...identity(place, replica), ...counts, ...reported(rank, model.recentHitShare(replica)) };
    }),
    admission: admissionState(model),
    waiting_for_engine: model.waitingForEngine,
    pins_billing_line: model.config.pin_billing_line,
    translates_responses: model.engineBalances && model.config.translate_responses,
    unpinnable_paths: model.engineBalances ? [...UNPINNED_WORK] : [],
    engine: engineState(model),
  };
}

function identity(place: ReplicaPlace, replica: number): Pick<ReplicaRouting, 'replica' | 'url' | 'rank' | 'health'> {
  return { replica, url: place.process.url, rank: place.rank, health: placeHealth(place) };
}

type Reported = Pick<
  ReplicaRouting,
  | 'requests_running'
  | 'requests_waiting'
  | 'kv_cache_usage_percent'
  | 'kv_capacity_tokens'
  | 'prefix_cache_hit_percent'
  | 'prefix_cache_hit_percent_5m'
>;

function reported(rank: RankReading | null, recentHitShare: number | null): Reported {
  const cached = rank?.cachedTokens ?? null;
  const computed = rank?.computedTokens ?? null;
  const all = cached === null || computed === null ? 0 : cached + computed;
  return {
    requests_running: rank?.running ?? null,
    requests_waiting: rank?.waiting ?? null,
    kv_cache_usage_percent: percent(rank?.kvUsage ?? null),
    kv_capacity_tokens: rank?.kvCapacityTokens ?? null,
    prefix_cache_hit_percent: cached === null || all === 0 ? null : (100 * cached) / all,
    prefix_cache_hit_percent_5m: rank === null ? null : percent(recentHitShare),
  };
}

function engineState(model: ModelRuntime): RoutingState['engine'] {
  const { processes } = model;
  const latest = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null);
    return known.length > 0 ? Math.max(...known) : null;
  };
  const errors = processes.flatMap((process) => (process.error === null ? [] : [process.error]));
  const versions = [...new Set(processes.flatMap((process) => process.facts?.version ?? []))];
  const missing = processes.flatMap((process) =>
    process.reading === null || process.facts === null
      ? []
      : engineLacks(process.reading, { maxNumSeqs: model.policy.maxNumSeqs, version: process.facts.version }),
  );
  return {
    available: processes.some((process) => process.up),
    error: errors.length > 0 ? errors.join('; ') : null,
    scraped_at: time(latest(processes.map((process) => process.reading?.takenAt ?? null))),
    version: versions.length > 0 ? versions.join(', ') : null,
    restarted_at: time(latest(processes.map((process) => process.restartedAt))),
    not_reported: [...new Set(missing)].map((lack) => LACK_SENTENCES[lack]),
    not_reported_codes: [...new Set(missing)],
  };
}
