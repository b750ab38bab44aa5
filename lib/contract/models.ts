import * as z from 'zod';
import { ENGINE_LACKS } from '#lib/engine/engine-lacks.ts';
import { admissionState, fitRule, yieldAfter } from './admission.ts';

export const health = z.enum(['up', 'degraded', 'down']);
export type Health = z.infer<typeof health>;

const percent = z.number().nullable();
const count = z.number();

export const thresholdSource = z.enum(['auto', 'setting']);
/** Where `max_num_seqs` comes from; `assumed` where neither the configuration nor the engine tells. */
export const maxNumSeqsSource = z.enum(['config', 'engine', 'assumed']);

/** Who says that the model is there: `warden.yaml`, `WARDEN_UPSTREAM`, the embedded fleet, or somebody in the console. */
export const modelOrigin = z.enum(['file', 'environment', 'simulated', 'console']);
export type ModelOrigin = z.infer<typeof modelOrigin>;

export const modelSummary = z.object({
  name: z.string(),
  served_model_name: z.string(),
  aliases: z.array(z.string()),
  simulated: z.boolean(),
  health,
  replica_count: count,
  affinity: z.boolean(),
  cache_fit: z.boolean(),
  spill_threshold: count,
  spill_threshold_source: thresholdSource,
  live_sessions: count,
  in_flight: count,
  cache_hit_percent_1h: percent,
  sticky_percent: percent,
  origin: modelOrigin,
  /** The last hour in 30 bars of two minutes, the last one still filling; null where nothing was measured. */
  cache_hit_percent_series: z.array(percent),
  /** Finished in the last hour. */
  requests_1h: count,
  /** Over the last 15 minutes, within 10 %. */
  ttfb_p50_seconds_15m: z.number().nullable(),
  ttfb_p95_seconds_15m: z.number().nullable(),
  /** Of the requests that finished in the last five minutes; prompt tokens are those asked for, cached ones included. */
  prompt_tokens_per_second_5m: z.number(),
  completion_tokens_per_second_5m: z.number(),
  /** Median of the live sessions whose last turn the engine has counted. */
  typical_context_tokens: count.nullable(),
  /** Of all replicas together; null where one of them does not report it. */
  kv_capacity_tokens: count.nullable(),
  /** As in the routing state: conversations that are likely to go on, against the caches. */
  fit: fitRule,
  replicas_up: count,
  replicas: z.array(
    z.object({
      replica: count,
      health,
      draining: z.boolean(),
      in_flight: count,
      kv_cache_usage_percent: percent,
      kv_capacity_tokens: count.nullable(),
    }),
  ),
});
export type ModelSummary = z.infer<typeof modelSummary>;
export const modelList = z.object({ models: z.array(modelSummary) });

export const replicaRouting = z.object({
  replica: count,
  url: z.string(),
  /** The data-parallel rank behind `url`; null where the URL is one replica. */
  rank: count.nullable(),
  health,
  /** A draining replica takes no new conversations; those that live there move out with their next turn. */
  draining: z.boolean(),
  in_flight: count,
  live_sessions: count,
  placed: count,
  sticky: count,
  spilled_in: count,
  failed_over_in: count,
  client_pinned: count,
  requests_running: count.nullable(),
  requests_waiting: count.nullable(),
  kv_cache_usage_percent: percent,
  kv_capacity_tokens: count.nullable(),
  /** Cached over all prompt tokens by the engine's counters: since it started, and over the last five minutes. */
  prefix_cache_hit_percent: percent,
  prefix_cache_hit_percent_5m: percent,
});
export type ReplicaRouting = z.infer<typeof replicaRouting>;

export const routingState = z.object({
  model: z.string(),
  simulated: z.boolean(),
  health,
  affinity: z.boolean(),
  /** Cache-fit admission as set; `admission.mode` says what it does. */
  cache_fit: z.boolean(),
  spill_threshold: count,
  spill_threshold_source: thresholdSource,
  /** What `auto` comes to, whether it is in force or not. */
  spill_threshold_auto: count,
  /** null where nobody knows; then `max_num_seqs_assumed` is what the auto threshold was made from. */
  max_num_seqs: count.nullable(),
  max_num_seqs_source: maxNumSeqsSource,
  max_num_seqs_assumed: count.nullable(),
  since: z.string(),
  totals: z.object({
    in_flight: count,
    placed: count,
    sticky: count,
    spilled: count,
    failed_over: count,
    client_pinned: count,
    balanced: count,
    unrouted: count,
    sticky_percent: percent,
  }),
  replicas: z.array(replicaRouting),
  admission: admissionState,
  /** Requests that wait for an engine to come back. */
  waiting_for_engine: count,
  /** What the router changes in requests to this model (warden.yaml: pin_billing_line, translate_responses). */
  pins_billing_line: z.boolean(),
  translates_responses: z.boolean(),
  /** One URL with several ranks: the engine ignores the pin on these paths, so they are unrouted. */
  unpinnable_paths: z.array(z.string()),
  engine: z.object({
    available: z.boolean(),
    error: z.string().nullable(),
    scraped_at: z.string().nullable(),
    version: z.string().nullable(),
    restarted_at: z.string().nullable(),
    /** What this engine does not report, in words ("prefix-cache hits: --disable-log-stats is set"). */
    not_reported: z.array(z.string()),
    /** The same as codes, in the same order. */
    not_reported_codes: z.array(z.enum(ENGINE_LACKS)),
  }),
});
export type RoutingState = z.infer<typeof routingState>;

/** Body of `PATCH /api/models/{name}/replicas/{replica}`. */
export const replicaPatch = z.strictObject({ draining: z.boolean() });

/** Body of `PATCH /api/models/{name}/routing`. */
export const routingPatch = z
  .strictObject({
    affinity: z.boolean().optional(),
    spill_threshold: z.union([z.literal('auto'), z.int().min(1)]).optional(),
    cache_fit: z.boolean().optional(),
    yield_after_seconds: yieldAfter.optional(),
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), {
    message:
      'give affinity (true or false), spill_threshold (a whole number from 1, or "auto"), cache_fit (true or false) ' +
      'or yield_after_seconds (from 1 to 3600, or "auto")',
  });
export type RoutingPatch = z.infer<typeof routingPatch>;
