import type {
  AdmissionSeries,
  DecisionSeries,
  ErrorSeries,
  LatencySeries,
  ReplicaSeries,
  TokenSeries,
} from '#lib/contract/series.ts';
import type { AdmissionBucket, LatencySummary, TokenBucket } from '#server/store/store.ts';
import { decisionAnswer, errorAnswer } from './ending-series.ts';
import type { ApiCall } from './handlers.ts';
import { modelFilter } from './parameters.ts';
import { replicaAnswer } from './replica-series.ts';
import { askedWindow, spanFields } from './series-window.ts';

const HOUR_SECONDS = 3600;
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
const percent = (share: number | null): number | null => (share === null ? null : share * 100);

export async function tokenStats(call: ApiCall): Promise<TokenSeries> {
  const { store, now } = call.context;
  const at = now();
  const asked = await askedWindow(call, at);
  const model = modelFilter(call);
  const [buckets, lastHour, whole] = await Promise.all([
    store.tokenSeries(model, asked.span, at),
    store.hitShare(model, HOUR_SECONDS, at),
    store.hitShareIn(model, asked.span, at),
  ]);
  const sum = (of: (bucket: TokenBucket) => number) => buckets.reduce((total, bucket) => total + of(bucket), 0);
  const totals = tokenCounts({
    cached: sum((bucket) => bucket.cached),
    computed: sum((bucket) => bucket.computed),
    completion: sum((bucket) => bucket.completion),
    requests: sum((bucket) => bucket.requests),
    measured: sum((bucket) => bucket.measured),
  });
  return {
    ...spanFields(asked, at),
    buckets: buckets.map((bucket) => ({
      time: iso(bucket.start),
      ...tokenCounts(bucket),
      cache_hit_percent: bucket.measuredPrompt === 0 ? null : (100 * bucket.cached) / bucket.measuredPrompt,
    })),
    totals,
    cache_hit_percent: percent(whole.hitShare),
    measured_percent: totals.requests === 0 ? null : (100 * totals.measured_requests) / totals.requests,
    cache_hit_percent_1h: percent(lastHour.hitShare),
  };
}

function tokenCounts(sums: Omit<TokenBucket, 'start' | 'measuredPrompt'>) {
  const { cached, computed, completion, requests, measured } = sums;
  return {
    prompt_cached_tokens: cached,
    prompt_computed_tokens: computed,
    completion_tokens: completion,
    requests,
    measured_requests: measured,
  };
}

export async function latencyStats(call: ApiCall): Promise<LatencySeries> {
  const { store, now } = call.context;
  const at = now();
  const asked = await askedWindow(call, at);
  const model = modelFilter(call);
  const [buckets, whole] = await Promise.all([
    store.latencySeries(model, asked.span, at),
    store.latencyWhole(model, asked.span, at),
  ]);
  return {
    ...spanFields(asked, at),
    buckets: buckets.map((bucket) => ({
      time: iso(bucket.start),
      ttfb_seconds: inSeconds(bucket.ttfb),
      duration_seconds: inSeconds(bucket.duration),
    })),
    totals: { ttfb_seconds: inSeconds(whole.ttfb), duration_seconds: inSeconds(whole.duration) },
  };
}

/** The store counts milliseconds, the API seconds. */
function inSeconds({ count, mean, p50, p95, p99 }: LatencySummary): LatencySummary {
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
  return { count, mean: seconds(mean), p50: seconds(p50), p95: seconds(p95), p99: seconds(p99) };
}

export async function decisionStats(call: ApiCall): Promise<DecisionSeries> {
  const { store, now } = call.context;
  const at = now();
  const asked = await askedWindow(call, at);
  const buckets = await store.endingSeries(modelFilter(call), asked.span, at);
  return { ...spanFields(asked, at), ...decisionAnswer(buckets) };
}

export async function errorStats(call: ApiCall): Promise<ErrorSeries> {
  const { store, now } = call.context;
  const at = now();
  const asked = await askedWindow(call, at);
  const buckets = await store.endingSeries(modelFilter(call), asked.span, at);
  return { ...spanFields(asked, at), ...errorAnswer(buckets) };
}

export async function admissionStats(call: ApiCall): Promise<AdmissionSeries> {
  const { store, now } = call.context;
  const at = now();
  const asked = await askedWindow(call, at);
  const buckets = await store.admissionSeries(modelFilter(call), asked.span, at);
  const sum = (of: (bucket: AdmissionBucket) => number) => buckets.reduce((total, bucket) => total + of(bucket), 0);
  return {
    ...spanFields(asked, at),
    buckets: buckets.map((bucket) => ({ time: iso(bucket.start), ...heldCounts(bucket) })),
    totals: heldCounts({
      requests: sum((bucket) => bucket.requests),
      held: sum((bucket) => bucket.held),
      heldMs: sum((bucket) => bucket.heldMs),
      heldMostMs: Math.max(0, ...buckets.map((bucket) => bucket.heldMostMs)),
      displaced: sum((bucket) => bucket.displaced),
    }),
  };
}

function heldCounts({ requests, held, heldMs, heldMostMs, displaced }: Omit<AdmissionBucket, 'start'>) {
  const seconds = held === 0 ? { mean: null, max: null } : { mean: heldMs / held / 1000, max: heldMostMs / 1000 };
  return { requests, held, held_seconds: seconds, displaced };
}

export async function replicaStats(call: ApiCall): Promise<ReplicaSeries> {
  const { store, now, registry } = call.context;
  const at = now();
  const asked = await askedWindow(call, at);
  const only = modelFilter(call);
  const names = registry.models().flatMap(({ name }) => (only === null || only === name ? [name] : []));
  const series = await Promise.all(
    names.map(async (model) => ({ model, replicas: await store.replicaSeries(model, asked.span, at) })),
  );
  return { ...spanFields(asked, at), ...replicaAnswer(asked.span, series) };
}
