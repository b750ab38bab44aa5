import * as z from 'zod';
import { modelOrigin } from './models.ts';

const name = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(256)
  .regex(/^\P{Cc}*$/u, { error: 'must not have control characters' });
/** Read and judged by lib/config/upstream-url.ts. */
const url = z.string().trim().min(1).max(2048);
const urls = z.array(url).min(1, { error: 'needs at least one URL' }).max(64);
/** Printable ASCII: it becomes a header. */
const apiKey = z.string().regex(/^[\x21-\x7e]{1,4096}$/, { error: 'must be printable, without spaces' });
const ranks = z.union([z.literal('auto'), z.int().min(1).max(1024)]);
const aliases = z.array(name).max(64);
const maxNumSeqs = z.int().min(1).max(1_000_000);
const spillThreshold = z.union([z.literal('auto'), z.int().min(1).max(1_000_000)]);

/**
 * Body of `POST /api/models/probe`. `model`: a model added in the console whose kept key is used where none is given,
 * for the hosts that it has already. `generate`: also asks for one token, as a client would.
 */
export const probeRequest = z.strictObject({
  urls,
  api_key: apiKey.nullable().optional(),
  model: name.optional(),
  served_model_name: name.optional(),
  generate: z.boolean().default(false),
});
export type ProbeRequest = z.infer<typeof probeRequest>;

/** Why a URL is no engine that can be used. `said`: the beginning of what it answered, where it did. */
export const probeProblemCode = z.enum([
  'not_a_url',
  'scheme',
  'credentials',
  'query',
  'refused_host',
  'unreachable',
  'wants_key',
  'wrong_key',
  'redirect',
  'not_found',
  'bad_status',
  'not_an_engine',
  'no_models',
  'is_warden',
]);
const probeProblem = z.object({
  code: probeProblemCode,
  message: z.string(),
  status: z.number().nullable(),
  said: z.string().nullable(),
});
export type ProbeProblem = z.infer<typeof probeProblem>;

const probedEngine = z.object({
  /** Its own models first, LoRA adapters left out. */
  models: z.array(z.object({ id: z.string(), max_model_len: z.number().nullable() })),
  version: z.string().nullable(),
  simulated: z.boolean(),
  /** Null where its metrics cannot be read. */
  ranks: z.number().nullable(),
  max_num_seqs: z.number().nullable(),
  /** Of one rank, the smallest. */
  kv_capacity_tokens: z.number().nullable(),
  prefix_caching: z.boolean().nullable(),
  /** Why its metrics cannot be read; null where they can. */
  metrics_problem: z.string().nullable(),
});
export type ProbedEngine = z.infer<typeof probedEngine>;

/** One token asked for and got, or what the engine said instead. */
const generated = z.object({
  ok: z.boolean(),
  status: z.number().nullable(),
  seconds: z.number(),
  said: z.string().nullable(),
});

const probedUrl = z.object({
  /** As it would be kept; as it was typed where it is refused. */
  url: z.string(),
  problem: probeProblem.nullable(),
  engine: probedEngine.nullable(),
  generated: generated.nullable(),
});
export type ProbedUrl = z.infer<typeof probedUrl>;

/** What a person should know before saving. Those with `model` name another model; nothing here keeps from saving. */
const probeWarning = z.discriminatedUnion('code', [
  z.object({ code: z.literal('url_twice'), url: z.string() }),
  z.object({ code: z.literal('url_taken'), url: z.string(), model: z.string() }),
  z.object({ code: z.literal('models_differ'), models: z.array(z.string()) }),
  z.object({ code: z.literal('versions_differ'), versions: z.array(z.string()) }),
  z.object({ code: z.literal('capacities_differ'), least_tokens: z.number(), most_tokens: z.number() }),
  z.object({ code: z.literal('context_differs'), least_tokens: z.number(), most_tokens: z.number() }),
  z.object({ code: z.literal('prefix_caching_off'), url: z.string() }),
  z.object({ code: z.literal('no_metrics'), url: z.string(), why: z.string() }),
  z.object({ code: z.literal('capacity_unknown'), url: z.string() }),
  z.object({ code: z.literal('max_num_seqs_unknown') }),
  z.object({ code: z.literal('one_replica') }),
]);
export type ProbeWarning = z.infer<typeof probeWarning>;

/** Answer of `POST /api/models/probe`: each URL, and what the model would be. */
export const probeResult = z.object({
  urls: z.array(probedUrl),
  /** Null where no URL is an engine. */
  suggestion: z
    .object({
      name: z.string(),
      served_model_name: z.string(),
      /** Every model that all of the engines serve; one of them is the one to ask for. */
      served_models: z.array(z.string()),
      aliases: z.array(z.string()),
      replicas: z.number(),
      max_num_seqs: z.number().nullable(),
    })
    .nullable(),
  warnings: z.array(probeWarning),
});
export type ProbeResult = z.infer<typeof probeResult>;

/** Body of `POST /api/models`. What is left out is as in warden.yaml. */
export const newModel = z.strictObject({
  name,
  urls,
  ranks: ranks.default('auto'),
  served_model_name: name.optional(),
  aliases: aliases.default([]),
  api_key: apiKey.optional(),
  max_num_seqs: maxNumSeqs.optional(),
  affinity: z.boolean().default(true),
  spill_threshold: spillThreshold.default('auto'),
  cache_fit: z.boolean().default(false),
});
export type NewModel = z.infer<typeof newModel>;

/**
 * Body of `PATCH /api/models/{name}`. Null takes a value away; what is left out stays. A kept key stays only as long as
 * no host is added: it must not be sent to a host that it was not given for.
 */
export const modelPatch = z
  .strictObject({
    urls: urls.optional(),
    ranks: ranks.optional(),
    served_model_name: name.nullable().optional(),
    aliases: aliases.optional(),
    api_key: apiKey.nullable().optional(),
    max_num_seqs: maxNumSeqs.nullable().optional(),
    affinity: z.boolean().optional(),
    spill_threshold: spillThreshold.optional(),
    cache_fit: z.boolean().optional(),
  })
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), { error: 'names nothing to change' });
export type ModelPatch = z.infer<typeof modelPatch>;

/** `GET /api/models/{name}`, and the answer of `POST` and `PATCH`: the model as it is configured. Never its key. */
export const modelConfiguration = z.object({
  name: z.string(),
  origin: modelOrigin,
  /** Models of the console can be changed and removed here, the simulated one removed, others in their file only. */
  can_change: z.boolean(),
  can_remove: z.boolean(),
  urls: z.array(z.string()),
  ranks: z.union([ranks, z.literal('mixed')]),
  served_model_name: z.string().nullable(),
  aliases: z.array(z.string()),
  has_api_key: z.boolean(),
  max_num_seqs: z.number().nullable(),
  affinity: z.boolean(),
  spill_threshold: z.union([z.literal('auto'), z.number()]),
  cache_fit: z.boolean(),
  added_at: z.string().nullable(),
  changed_at: z.string().nullable(),
});
export type ModelConfiguration = z.infer<typeof modelConfiguration>;

/** Answer of `DELETE /api/models/{name}`. `in_flight`: requests that go on to their end. */
export const modelRemoved = z.object({ name: z.string(), in_flight: z.number() });
