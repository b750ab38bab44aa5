import * as z from 'zod';

const count = z.number();
const percent = z.number();
const name = z.string();

/** `warn`: turns are slower than they need be. `info`: something cannot be seen, or is set so. */
const severity = z.enum(['warn', 'info']);

/** One piece of advice: what it is about, and the numbers that it is made from. docs/advice.md has the thresholds. */
export const advice = z.discriminatedUnion('code', [
  /** Conversations stay home, there is room for them, and yet their turns are computed anew. */
  z.object({
    code: z.literal('prefix_spoiled'),
    severity,
    hit_percent: percent,
    sticky_percent: percent,
    cache_used_percent: percent,
    client: name.nullable(),
  }),
  /** Nearly every request looks like the first of a conversation. */
  z.object({
    code: z.literal('keys_change'),
    severity,
    placed: count,
    requests: count,
    client: name.nullable(),
    source: name.nullable(),
  }),
  /** More conversations than the caches hold. `fitting`: how many typical ones do; null where nobody knows. */
  z.object({
    code: z.literal('too_many_conversations'),
    severity,
    hit_percent: percent,
    cache_used_percent: percent,
    conversations: count,
    fitting: count.nullable(),
    cache_fit: z.boolean(),
  }),
  /** Requests wait on one replica while another has room. */
  z.object({
    code: z.literal('replica_pegged'),
    severity,
    replica: count,
    waiting: count,
    idle_replica: count,
    idle_running: count,
    spill_threshold: count,
    suggested: count,
  }),
  /** Many turns leave their home although on some replicas (`calm_replicas`) less than one request waits on average. */
  z.object({
    code: z.literal('spills_often'),
    severity,
    spilled: count,
    turns: count,
    spilled_percent: percent,
    calm_replicas: count,
    replicas: count,
    spill_threshold: count,
    suggested: count,
  }),
  /** Many turns leave their home and requests wait everywhere: no threshold helps. */
  z.object({
    code: z.literal('overloaded'),
    severity,
    spilled_percent: percent,
    waiting: count,
    replicas: count,
    cache_fit: z.boolean(),
  }),
  z.object({ code: z.literal('prefix_caching_off'), severity, replicas: count }),
  /** The engine says nothing of cached tokens in its answers. */
  z.object({ code: z.literal('cached_not_reported'), severity, requests: count, measured_percent: percent }),
  z.object({ code: z.literal('versions_differ'), severity, versions: z.array(name) }),
  z.object({ code: z.literal('capacities_differ'), severity, least_tokens: count, most_tokens: count }),
  z.object({ code: z.literal('capacity_unknown'), severity, replicas: count }),
  /** `turns`: with a session key, and unrouted. */
  z.object({ code: z.literal('affinity_off'), severity, turns: count }),
  /** Requests without a session key: nothing brings them back to where their cache is. */
  z.object({
    code: z.literal('no_session_key'),
    severity,
    requests: count,
    without: count,
    without_percent: percent,
    client: name.nullable(),
    client_requests: count,
  }),
]);
export type Advice = z.infer<typeof advice>;

/** `GET /api/models/{name}/advice`: what the counters say could be better, the worst first; empty where all is well. */
export const modelAdvice = z.object({
  model: name,
  /** What the counters cover: at most this long, and at most the newest 1,000 requests. */
  window_seconds: count,
  requests: count,
  /** Below it, what is told from requests is silent. */
  requests_needed: count,
  advice: z.array(advice),
});
export type ModelAdvice = z.infer<typeof modelAdvice>;
