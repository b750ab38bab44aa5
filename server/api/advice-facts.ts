import type { AdviceFacts, AdviceReplica, AdviceRequest } from '#lib/advice/facts.ts';
import { freshReading } from '#server/router/engine-process.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { GaugeSummary, ReplicaBucket, RequestRow, Store } from '#server/store/store.ts';
import { admissionState } from './admission-state.ts';

/** How far back advice looks, and at most at how many requests. */
export const ADVICE_WINDOW_SECONDS = 3600;
const MOST_REQUESTS = 1000;

const BUCKET_SECONDS = 300;
const BUCKETS = 3;

/** Gathers what advice is made from: finished requests, readings of the last quarter hour, and what the engines are. */
export async function adviceFacts(model: ModelRuntime, store: Store, now: number): Promise<AdviceFacts> {
  const to = (Math.floor(now / 1000 / BUCKET_SECONDS) + 1) * BUCKET_SECONDS;
  const window = { from: to - BUCKETS * BUCKET_SECONDS, to, bucketSeconds: BUCKET_SECONDS };
  const [rows, series] = await Promise.all([
    store.requests(model.name, MOST_REQUESTS),
    store.replicaSeries(model.name, window, now),
  ]);
  const { policy } = model;
  const { rule, replicas: rooms } = admissionState(model);
  const bucketsOf = new Map(series.map(({ replica, buckets }) => [replica, buckets]));
  return {
    affinity: policy.affinity,
    cacheFit: policy.cacheFit,
    spillThreshold: policy.spillThreshold,
    maxNumSeqs: policy.maxNumSeqs,
    requests: rows.filter((row) => row.finishedAt >= now - ADVICE_WINDOW_SECONDS * 1000).map(adviceRequest),
    replicas: model.replicas.map(([replica]) => adviceReplica(model, replica, bucketsOf.get(replica) ?? [], now)),
    conversations: rule.live_conversations,
    aliveTokens: rooms.reduce((sum, room) => sum + room.alive_tokens, 0),
    fitting: rule.fitting_conversations,
  };
}

function adviceRequest(row: RequestRow): AdviceRequest {
  return {
    decision: row.decision,
    client: row.client,
    hasKey: row.sessionHash !== null,
    source: row.sessionSource,
    promptTokens: row.promptTokens,
    cachedTokens: row.cachedTokens,
  };
}

function adviceReplica(
  model: ModelRuntime,
  replica: number,
  buckets: readonly ReplicaBucket[],
  now: number,
): AdviceReplica {
  const place = model.places[replica];
  const reading = place === undefined ? null : freshReading(place.process, now);
  const mean = (pick: (bucket: ReplicaBucket) => GaugeSummary | null): number | null => {
    const known = buckets.flatMap((bucket) => pick(bucket)?.mean ?? []);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  return {
    replica,
    up: place?.process.up ?? false,
    running: mean((bucket) => bucket.running),
    waiting: mean((bucket) => bucket.waiting),
    kvUsage: mean((bucket) => bucket.kvUsage),
    capacityTokens: reading === null ? null : model.capacityTokens(replica),
    prefixCaching: reading?.prefixCachingEnabled ?? null,
    version: place?.process.facts?.version ?? null,
  };
}
