import * as z from 'zod';
import { decisionKind } from './activity.ts';

export const rangeName = z.enum(['15m', '1h', '6h', '24h', '7d', '30d']);

/** `custom`: the stretch of time of `from` and `to`. */
export const windowName = z.enum([...rangeName.options, 'custom']);
export type WindowName = z.infer<typeof windowName>;

/**
 * Every series is asked for with `window=` (one of the ranges, ending now) or with `from=` and `to=` (RFC 3339), and
 * `period=previous` gives the stretch of the same length right before, in bars of the same width. Bars are dense and at
 * most 120.
 */
const span = {
  window: windowName,
  period: z.enum(['current', 'previous']),
  /** The first bar's start and the last bar's end. */
  from: z.string(),
  to: z.string(),
  bucket_seconds: z.number(),
  /** The last bar has not ended yet. */
  last_bucket_filling: z.boolean(),
};
export type SeriesSpan = Pick<
  TokenSeries,
  'window' | 'period' | 'from' | 'to' | 'bucket_seconds' | 'last_bucket_filling'
>;

const percent = z.number().nullable();

const tokens = {
  prompt_cached_tokens: z.number(),
  prompt_computed_tokens: z.number(),
  completion_tokens: z.number(),
  requests: z.number(),
  /** Requests for which the engine said how much came from its cache. The others count as computed. */
  measured_requests: z.number(),
};

/** `GET /api/stats/tokens`. A request counts in the bar in which it finished. */
export const tokenSeries = z.object({
  ...span,
  /** Each with its hit share, as that of the window below. */
  buckets: z.array(z.object({ time: z.string(), ...tokens, cache_hit_percent: percent })),
  totals: z.object(tokens),
  /** Cached over all prompt tokens of the window's measured requests; null where nothing was measured. */
  cache_hit_percent: percent,
  /** Measured requests of all finished ones; null where none finished. */
  measured_percent: percent,
  /** The same share over the last hour, whatever the window. */
  cache_hit_percent_1h: percent,
});
export type TokenSeries = z.infer<typeof tokenSeries>;

const latencySummary = z.object({
  count: z.number(),
  mean: z.number().nullable(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});

const latencies = { ttfb_seconds: latencySummary, duration_seconds: latencySummary };

/** `GET /api/stats/latency`, seconds. Quantiles come from a mergeable histogram, within 10 % of the true value. */
export const latencySeries = z.object({
  ...span,
  buckets: z.array(z.object({ time: z.string(), ...latencies })),
  /** Of all requests of the window. */
  totals: z.object(latencies),
});
export type LatencySeries = z.infer<typeof latencySeries>;

const held = {
  requests: z.number(),
  held: z.number(),
  /** Of those held; null where none was. */
  held_seconds: z.object({ mean: z.number().nullable(), max: z.number().nullable() }),
  /** Turns with which a conversation gave up its place to others. */
  displaced: z.number(),
};

/** `GET /api/stats/admission`: turns that waited in the router for room, in the bucket in which they finished. */
export const admissionSeries = z.object({
  ...span,
  buckets: z.array(z.object({ time: z.string(), ...held })),
  totals: z.object(held),
});
export type AdmissionSeries = z.infer<typeof admissionSeries>;

const decisions = z.record(decisionKind, z.number());
export type DecisionCounts = z.infer<typeof decisions>;

/** `GET /api/stats/decisions`: finished requests by why they went where they went. */
export const decisionSeries = z.object({
  ...span,
  buckets: z.array(z.object({ time: z.string(), requests: decisions })),
  totals: decisions,
  /** sticky / (sticky + spilled); null where there was neither. */
  sticky_percent: percent,
});
export type DecisionSeries = z.infer<typeof decisionSeries>;

/**
 * How a request ended ill. `client_error`: the engine answered 4xx; `engine_error`: it answered 5xx or broke its answer
 * off with an error; `upstream_failed`: it could not be reached or the connection broke; `client_left`: the client hung
 * up before the end, which is no fault of the engine.
 */
export const errorKind = z.enum(['client_error', 'engine_error', 'upstream_failed', 'client_left']);
export type ErrorKind = z.infer<typeof errorKind>;

const errorCounts = {
  requests: z.number(),
  client_error: z.number(),
  engine_error: z.number(),
  upstream_failed: z.number(),
  client_left: z.number(),
};

/** `GET /api/stats/errors`: of `requests` finished ones, those that ended ill. */
export const errorSeries = z.object({
  ...span,
  buckets: z.array(z.object({ time: z.string(), ...errorCounts })),
  totals: z.object(errorCounts),
  /** The same by the status that the client got, most frequent first. */
  statuses: z.array(z.object({ kind: errorKind, status: z.number(), requests: z.number() })),
});
export type ErrorSeries = z.infer<typeof errorSeries>;

/** One number per bar; null where no reading of the bar reported it. */
const column = z.array(z.number().nullable());

/**
 * `GET /api/stats/replicas`: the readings of the engines, by replica, as columns as long as `times`. Gauges are means
 * over the readings of a bar, `_max` their highest.
 */
export const replicaSeries = z.object({
  ...span,
  times: z.array(z.string()),
  /** Summed over the replicas. */
  requests_running: column,
  requests_waiting: column,
  requests_waiting_max: column,
  replicas: z.array(
    z.object({
      model: z.string(),
      replica: z.number(),
      in_flight: column,
      requests_running: column,
      requests_waiting: column,
      kv_cache_usage_percent: column,
      kv_cache_usage_percent_max: column,
      /** Cached over all prompt tokens of the bar, by the engine's own counters. */
      prefix_cache_hit_percent: column,
      /** Columns that no reading of the window reported, although there were readings. */
      not_reported: z.array(z.string()),
      /** Over the whole window. */
      totals: z.object({
        kv_cache_usage_percent: percent,
        kv_cache_usage_percent_max: percent,
        prefix_cache_hit_percent: percent,
      }),
    }),
  ),
});
export type ReplicaSeries = z.infer<typeof replicaSeries>;
