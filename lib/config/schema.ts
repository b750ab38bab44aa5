import { z } from 'zod';

/** Credentials in a URL would end up on screens and in logs; the engine's key has a field of its own. */
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
  .refine((url) => !/^https?:\/\/[^/]*@/.test(url), { error: 'must not carry a user or password; use api_key' })
  // People paste the base URL that OpenAI clients want.
  .transform((url) => url.replace(/\/(v1\/?)?$/, ''));

const replicaEntry = z.strictObject({
  url: httpUrl,
  /** Data-parallel ranks behind this URL; `auto`: as many as its `/metrics` has `engine` labels. */
  ranks: z.union([z.literal('auto'), z.int().min(1).max(1024)]).default('auto'),
});

const scheme = z.enum(['http', 'https']).default('http');
const port = z.int().min(1).max(65_535);
const refresh = z.number().min(1).max(3600).default(10);
const dnsName = z
  .string()
  .regex(/^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?\.?$/, { error: 'is not a DNS name' });
/** As c-ares takes them: addresses, as the names of name servers would have to be resolved first. */
const nameServer = z
  .string()
  .regex(/^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+)$/, {
    error: 'is not an IP address, with or without a port',
  });
/** Absent: the system's. */
const nameServers = z.array(nameServer).min(1).optional();

/** Where a model's replicas are found, beside those that are listed; each is one URL. */
const discoverEntry = z.union(
  [
    z.strictObject({ dns: dnsName, port, scheme, refresh_seconds: refresh, name_servers: nameServers }),
    z.strictObject({ srv: dnsName, scheme, refresh_seconds: refresh, name_servers: nameServers }),
    z.strictObject({ file: z.string().min(1) }),
    z.strictObject({
      kubernetes: z.strictObject({
        service: z.string().min(1).max(63),
        /** Absent: the pod's own. */
        namespace: z.string().min(1).max(63).optional(),
        /** Name or number; absent: the first. */
        port: z.union([z.string().min(1), port]).optional(),
      }),
      scheme,
    }),
  ],
  { error: 'must be one of dns (with port), srv, file or kubernetes (with service)' },
);
export type DiscoverEntry = z.infer<typeof discoverEntry>;

const modelEntry = z
  .strictObject({
    name: z.string().min(1).max(256),
    served_model_name: z.string().min(1).max(256).optional(),
    aliases: z.array(z.string().min(1).max(256)).default([]),
    replicas: z.array(replicaEntry).default([]),
    discover: discoverEntry.optional(),
    api_key: z.string().min(1).optional(),
    max_num_seqs: z.int().min(1).optional(),
    /** Of one replica, where the engine does not report it. */
    kv_cache_tokens: z.int().min(1).optional(),
    affinity: z.boolean().default(true),
    spill_threshold: z.union([z.literal('auto'), z.int().min(1)]).default('auto'),
    /** Holds turns back in the router while the conversations that live on a replica exceed its cache. */
    cache_fit: z.boolean().default(false),
    yield_after_seconds: z.union([z.literal('auto'), z.number().min(1).max(3600)]).default('auto'),
    /** Makes Claude Code's `x-anthropic-billing-header` the same in all requests: it changes, in front of everything. */
    pin_billing_line: z.boolean().default(true),
    /** One URL with ranks: sends stateless `/v1/responses` requests as chat completions, which honour the pin. */
    translate_responses: z.boolean().default(true),
  })
  .refine((model) => model.replicas.length > 0 || model.discover !== undefined, {
    path: ['replicas'],
    error: 'needs at least one `- url: http://host:port`, or discover:',
  });

const limits = z.strictObject({
  /** Largest request body taken; beyond it 413. Image-bearing agents send many MB. */
  max_body_mb: z.number().positive().max(2048).default(32),
  /** Time to the engine's response headers: a request without streaming has none until it is done. */
  headers_timeout_seconds: z.number().positive().default(3600),
  /** Longest silence inside a response: queueing and a long prefill come after a stream's headers. */
  body_timeout_seconds: z.number().positive().default(3600),
  connect_timeout_seconds: z.number().positive().default(5),
  /**
   * How long a request waits for an engine that was up and is away, before it is a 503: agents abort at 300 s without
   * headers (Claude Code 2.1.100), and an engine takes one to three minutes to load.
   */
  engine_away_seconds: z.number().min(0).default(240),
  /** How long cache-fit admission may hold a turn, well within the same patience; then it goes to the engine. */
  max_hold_seconds: z.number().min(1).max(3600).default(120),
});

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, { error: 'is not a header name' });
const extraPath = z.string().regex(/^\/[A-Za-z0-9/_.-]{1,128}$/, { error: 'must be a plain path such as /v1/pooling' });

/** `warden.yaml`. Every key is optional but `models`; an unknown key is an error, so that a typo cannot pass unseen. */
export const configSchema = z.strictObject({
  models: z.array(modelEntry).min(1, { error: 'needs at least one model' }),
  /** Headers that carry a session id, asked before the known ones. */
  session_headers: z.array(headerName).default([]),
  /** Further `POST` paths to forward. The engine is assumed to ignore the pin on them. */
  extra_paths: z.array(extraPath).default([]),
  /** Link-local hosts that the console may take as engines all the same; see lib/config/upstream-url.ts. */
  allowed_upstream_hosts: z.array(z.string().min(1)).default([]),
  limits: limits.prefault({}),
});

export type WardenConfig = z.infer<typeof configSchema>;
export type ModelConfig = WardenConfig['models'][number];
export type Limits = WardenConfig['limits'];

/** An entry as it would be read from a file, its defaults filled in. */
export const modelWithDefaults = (entry: z.input<typeof modelEntry>): ModelConfig => modelEntry.parse(entry);

/** The limits and lists of a configuration that names no models: `WARDEN_UPSTREAM` or the embedded fleet. */
export const defaultLimits = (): Limits => limits.parse({});
