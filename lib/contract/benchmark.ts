import * as z from 'zod';

/** The settings that a benchmark compares. */
export const benchmarkPolicy = z.enum(['off', 'affinity', 'cache-fit']);
export type BenchmarkPolicy = z.infer<typeof benchmarkPolicy>;

const wholeRange = z
  .strictObject({ least: z.int().min(1), most: z.int().min(1) })
  .refine(({ least, most }) => least <= most, { message: 'least is more than most' });
const secondsRange = z
  .strictObject({ least: z.number().min(0).max(3600), most: z.number().min(0).max(3600) })
  .refine(({ least, most }) => least <= most, { message: 'least is more than most' });

/** Size and rhythm of the conversations; tokens are made of text at four characters each. */
const numbers = z.strictObject({
  system_tokens: z.int().min(1).max(1_000_000),
  first_message_tokens: wholeRange,
  turns: z.int().min(1).max(1000),
  turn_tokens: wholeRange,
  output_tokens: wholeRange,
  think_seconds: secondsRange,
  subagents: z.int().min(0).max(64),
  subagent_turns: z.int().min(1).max(1000),
});
export type BenchmarkNumbers = z.infer<typeof numbers>;

/** `trace`: recorded conversations, from the command line only. */
const workloadName = z.enum(['reference', 'claude-code', 'trace']);
const protocol = z.enum(['messages', 'chat']);
const prompts = z.enum(['fresh', 'same']);
const arrivals = z.enum(['closed', 'open']);
const steps = z.array(z.int().min(1).max(1024)).min(1).max(12);

/** Body of `POST /api/benchmarks`; everything but the model has a default. */
export const benchmarkRequest = z.strictObject({
  model: z.string().min(1),
  workload: z.enum(['reference', 'claude-code']).default('reference'),
  /** Replaces numbers of the workload. */
  numbers: numbers.partial().default({}),
  policies: z.array(benchmarkPolicy).min(1).max(3).default(['off', 'affinity']),
  /** Sessions at once; with open arrivals, sessions started an hour. */
  steps: steps.default([4, 8]),
  seconds: z.number().min(1).max(3600).default(60),
  /** Before each measurement, and not part of it. */
  warmup_seconds: z.number().min(0).max(3600).default(10),
  repeats: z.int().min(1).max(20).default(1),
  /** Drawn where it is not given. */
  seed: z.int().min(0).max(0xffff_ffff).optional(),
  /** `/v1/messages`, or chat completions, whose answers always have their full length. */
  protocol: protocol.default('messages'),
  /** `same`: both settings get the same texts, and the second profits from the first. */
  prompts: prompts.default('fresh'),
  arrivals: arrivals.default('closed'),
  /** Starts although the model has other traffic. */
  allow_traffic: z.boolean().default(false),
});
export type BenchmarkRequest = z.infer<typeof benchmarkRequest>;

/** A benchmark as it runs: everything that its figures depend on. */
export const benchmarkPlan = z.object({
  model: z.string(),
  workload: workloadName,
  /** Null for a replay. */
  numbers: numbers.nullable(),
  policies: z.array(benchmarkPolicy),
  steps: z.array(z.number()),
  seconds: z.number(),
  warmup_seconds: z.number(),
  repeats: z.number(),
  seed: z.number(),
  protocol,
  prompts,
  arrivals,
});
export type BenchmarkPlan = z.infer<typeof benchmarkPlan>;

const value = z.number().nullable();

/** The row of one step of one policy, the same live and in virtual time. Null: nothing to tell it from. */
export const benchmarkRow = z.object({
  policy: z.string(),
  sessions: z.number(),
  sessions_per_hour: value,
  output_tokens_per_minute: value,
  ttfb_p50_seconds: value,
  ttfb_p95_seconds: value,
  ttfb_p99_seconds: value,
  ttfb_mean_seconds: value,
  ttfb_max_seconds: value,
  ttfb_first_p50_seconds: value,
  ttfb_continuing_p50_seconds: value,
  session_p50_seconds: value,
  replicas_busy: value,
  prefix_hit_percent: value,
  stayed_percent: value,
  /** Null in rows from before these columns, and where it is not known. */
  held_percent: value.default(null),
  held_mean_seconds: value.default(null),
  held_max_seconds: value.default(null),
  turns: value,
});
export type BenchmarkRow = z.infer<typeof benchmarkRow>;

/** One measured step of one policy and repeat. */
export const benchmarkCell = z.object({
  policy: benchmarkPolicy,
  sessions: z.number(),
  repeat: z.number(),
  started_at: z.string(),
  row: benchmarkRow,
  completed_sessions: z.number(),
  /** Requests that failed, and what the first of them said. */
  errors: z.number(),
  first_error: z.string().nullable(),
  /** Requests of others that the router took meanwhile; null where it was not told. */
  other_requests: value,
  /** The setting was not what this step had asked for when it ended. */
  setting_changed: z.boolean(),
  engine_restarted: z.boolean(),
  /** Of the turns sent in the first and in the second half of the step. */
  first_half_p50_seconds: value,
  second_half_p50_seconds: value,
  /** Prompt tokens by the engine's count over those planned. */
  prompt_tokens_percent: value,
  /** Finished turns for which the engine said how much it had cached, of all finished turns. */
  cached_reported_percent: value,
  /** The whole distribution of times to first byte, in order; thinned evenly where there were very many. */
  ttfb_seconds: z.array(z.number()),
});
export type BenchmarkCell = z.infer<typeof benchmarkCell>;

const warningCode = z.enum([
  'too_few_turns',
  'still_warming',
  'other_traffic',
  'cached_not_reported',
  'request_errors',
  'setting_changed',
  'engine_restarted',
  'one_repeat',
  'same_prompts',
  'prompt_size',
  'incomplete',
  'simulated',
]);
const warning = z.object({ code: warningCode, message: z.string() });
export type BenchmarkWarning = z.infer<typeof warning>;

/** The least and the most of every column over the repeats of a row. */
const spread = z.object({ repeats: z.number(), least: benchmarkRow, most: benchmarkRow });

/** What there was to measure; null where the engine does not tell. */
const engineFacts = z.object({
  version: z.string().nullable(),
  simulated: z.boolean(),
  replicas: z.number(),
  spill_threshold: z.number(),
  max_num_seqs: z.number().nullable(),
  max_model_len: z.number().nullable(),
  /** Of one replica, the smallest of all. */
  kv_capacity_tokens: z.number().nullable(),
});
export type BenchmarkEngine = z.infer<typeof engineFacts>;

export const benchmarkReport = z.object({
  plan: benchmarkPlan,
  engine: engineFacts,
  /** Where the clients ran: in the router's own process, or beside it. */
  clients: z.enum(['router', 'command']),
  started_at: z.string(),
  finished_at: z.string(),
  /** A row per policy and step, averaged over the repeats. */
  rows: z.array(benchmarkRow),
  /** In the order of `rows`; null where a row stands for one measurement. */
  spread: z.array(spread.nullable()),
  /** In the order in which they were measured. */
  cells: z.array(benchmarkCell),
  warnings: z.array(warning),
});
export type BenchmarkReport = z.infer<typeof benchmarkReport>;

const progress = z.object({
  /** Counted from 0. */
  cell: z.number(),
  cells: z.number(),
  policy: benchmarkPolicy,
  sessions: z.number(),
  repeat: z.number(),
  phase: z.enum(['settling', 'warming', 'measuring']),
  done_percent: z.number(),
  left_seconds: z.number(),
  /** Turns answered so far in this step, and failed requests. */
  turns: z.number(),
  errors: z.number(),
});
export type BenchmarkProgress = z.infer<typeof progress>;

const runFields = {
  id: z.number(),
  model: z.string(),
  /** `interrupted`: the router ended while it ran. */
  status: z.enum(['running', 'finished', 'cancelled', 'failed', 'interrupted']),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  /** Null where what is stored cannot be read (it says so in `error`). */
  plan: benchmarkPlan.nullable(),
  progress: progress.nullable(),
  error: z.string().nullable(),
  /** Measured so far while it runs; then those of the report. */
  rows: z.array(benchmarkRow),
};
export const benchmarkSummary = z.object(runFields);
export type BenchmarkSummary = z.infer<typeof benchmarkSummary>;

/** `GET /api/benchmarks`, newest first. */
export const benchmarkList = z.object({ runs: z.array(benchmarkSummary) });
export type BenchmarkList = z.infer<typeof benchmarkList>;

/** `GET /api/benchmarks/{id}`, and the answer to POST and to DELETE of a running one, which cancels it. */
export const benchmarkRun = z.object({ ...runFields, report: benchmarkReport.nullable() });
export type BenchmarkRun = z.infer<typeof benchmarkRun>;

/** `GET /api/models/{name}/readings`: the engine's counters as of its last poll, as a load tool needs them. */
export const modelReadings = z.object({
  model: z.string(),
  simulated: z.boolean(),
  affinity: z.boolean(),
  cache_fit: z.boolean(),
  spill_threshold: z.number(),
  max_num_seqs: z.number().nullable(),
  max_model_len: z.number().nullable(),
  engine_version: z.string().nullable(),
  engine_restarted_at: z.string().nullable(),
  /** When the engine was read, and the router's clock now. */
  taken_at: z.string().nullable(),
  at: z.string(),
  in_flight: z.number(),
  /** Requests that the router took since it counts. */
  requests_total: z.number(),
  /** When a conversation was last used; null where there is none. */
  last_used_at: z.string().nullable(),
  replicas: z.array(
    z.object({
      requests_running: z.number().nullable(),
      cached_tokens: z.number().nullable(),
      computed_tokens: z.number().nullable(),
      kv_capacity_tokens: z.number().nullable(),
    }),
  ),
});
export type ModelReadings = z.infer<typeof modelReadings>;
