import { z } from 'zod';

export const rangeName = z.enum(['15m', '1h', '6h', '24h', '7d', '30d']);

/** `GET /api/stats/tokens`. Buckets are dense; their width is `bucket_seconds`; the last one is still filling. */
export const tokenSeries = z.object({
  window: rangeName,
  bucket_seconds: z.number(),
  buckets: z.array(
    z.object({
      time: z.string(),
      prompt_cached_tokens: z.number(),
      prompt_computed_tokens: z.number(),
      completion_tokens: z.number(),
      requests: z.number(),
      /** Requests for which the engine said how much came from its cache. The others count as computed. */
      measured_requests: z.number(),
    }),
  ),
  /** Cached over all prompt tokens of the window's measured requests; null where nothing was measured. */
  cache_hit_percent: z.number().nullable(),
  /** Measured requests of all finished ones; null where none finished. */
  measured_percent: z.number().nullable(),
  /** The same share over the last hour, whatever the window. */
  cache_hit_percent_1h: z.number().nullable(),
});
export type TokenSeries = z.infer<typeof tokenSeries>;

const latencySummary = z.object({
  count: z.number(),
  mean: z.number().nullable(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});

/** `GET /api/stats/latency`, seconds. Quantiles come from a mergeable histogram, within 10 % of the true value. */
export const latencySeries = z.object({
  window: rangeName,
  bucket_seconds: z.number(),
  buckets: z.array(z.object({ time: z.string(), ttfb_seconds: latencySummary, duration_seconds: latencySummary })),
});
export type LatencySeries = z.infer<typeof latencySeries>;

/** `GET /api/stats/admission`: turns that waited in the router for room, in the bucket in which they finished. */
export const admissionSeries = z.object({
  window: rangeName,
  bucket_seconds: z.number(),
  buckets: z.array(
    z.object({
      time: z.string(),
      requests: z.number(),
      held: z.number(),
      /** Of those held; null where none was. */
      held_seconds: z.object({ mean: z.number().nullable(), max: z.number().nullable() }),
      /** Turns with which a conversation gave up its place to others. */
      displaced: z.number(),
    }),
  ),
});
export type AdmissionSeries = z.infer<typeof admissionSeries>;
