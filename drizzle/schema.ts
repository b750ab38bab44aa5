import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/*
 * Names end in their unit: `_ms` milliseconds and `_s` seconds since the epoch (or a length), `_milli` thousandths.
 * Every table is STRICT and, where its key holds a time or a text, WITHOUT ROWID: the SQL in migrations/ says so, this
 * file cannot. A key starts with the model and then the time, since every chart asks for a window of time.
 */

export const model = sqliteTable('model', {
  id: integer('id').primaryKey(),
  name: text('name').notNull().unique(),
});

const modelId = () =>
  integer('model_id')
    .notNull()
    .references(() => model.id);

/** What a person changed in the console; null where the configuration decides. */
export const setting = sqliteTable(
  'setting',
  {
    modelId: integer('model_id')
      .primaryKey()
      .references(() => model.id),
    affinity: integer('affinity', { mode: 'boolean' }),
    spillThreshold: integer('spill_threshold'),
    spillAuto: integer('spill_auto', { mode: 'boolean' }).notNull().default(false),
    cacheFit: integer('cache_fit', { mode: 'boolean' }),
    yieldAfterMs: integer('yield_after_ms'),
    yieldAuto: integer('yield_auto', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    check('setting_affinity_is_boolean', sql`${table.affinity} IN (0, 1)`),
    check('setting_one_threshold', sql`${table.spillAuto} = 0 OR ${table.spillThreshold} IS NULL`),
  ],
);

/**
 * One row per finished request. `seq` grows in the order of writing. `ttfb_bucket` and `duration_bucket` place the
 * request in the latency histograms; null where it does not count there. `queued_ms`: how long admission held it, null
 * in rows from before there was admission; `displaced`: its conversation gave up its place with it.
 */
export const request = sqliteTable(
  'request',
  {
    seq: integer('seq').primaryKey(),
    id: text('id').notNull(),
    modelId: modelId(),
    startedMs: integer('started_ms').notNull(),
    finishedMs: integer('finished_ms').notNull(),
    path: text('path').notNull(),
    client: text('client'),
    sessionHash: text('session_hash'),
    sessionSource: text('session_source'),
    replica: integer('replica'),
    decision: text('decision', {
      enum: ['placed', 'sticky', 'spilled', 'failed_over', 'client_pinned', 'balanced', 'unrouted'],
    }).notNull(),
    reason: text('reason').notNull(),
    promptTokens: integer('prompt_tokens'),
    cachedTokens: integer('cached_tokens'),
    completionTokens: integer('completion_tokens'),
    ttfbMs: integer('ttfb_ms'),
    status: integer('status').notNull(),
    outcome: text('outcome', { enum: ['ok', 'client_left', 'engine_error', 'upstream_failed'] }).notNull(),
    ttfbBucket: integer('ttfb_bucket'),
    durationBucket: integer('duration_bucket'),
    /** JSON texts of a code and its values: the reason again, and why the turn missed the cache, in no language. */
    why: text('why'),
    miss: text('miss'),
    queuedMs: integer('queued_ms'),
    displaced: integer('displaced', { mode: 'boolean' }).notNull().default(false),
    apiKeyId: integer('api_key_id'),
  },
  (table) => [
    index('request_finished').on(table.finishedMs),
    index('request_model_finished').on(table.modelId, table.finishedMs),
    index('request_api_key').on(table.apiKeyId, table.finishedMs).where(sql`api_key_id IS NOT NULL`),
    index('request_session').on(table.sessionHash, table.finishedMs),
    index('request_decision').on(table.decision, table.finishedMs),
    index('request_client').on(table.client, table.finishedMs),
    // The slowest of a million without reading them all.
    index('request_ttfb').on(table.ttfbMs),
    index('request_duration').on(sql`finished_ms - started_ms`),
    // Few requests end badly; the queries that look for them repeat this condition word for word.
    index('request_unwell').on(table.finishedMs).where(sql`status >= 400 OR outcome <> 'ok'`),
    check('request_cached_within_prompt', sql`${table.cachedTokens} <= ${table.promptTokens}`),
  ],
);

/**
 * `measured`: requests whose cached count the engine told; `measured_prompt_tokens`: the prompt tokens of those. `held`:
 * requests that waited in the router; `held_ms`, `held_most_ms`: the sum of their waits, and the longest.
 */
const usageColumns = {
  modelId: modelId(),
  startS: integer('start_s').notNull(),
  requests: integer('requests').notNull(),
  measured: integer('measured').notNull(),
  cachedTokens: integer('cached_tokens').notNull(),
  computedTokens: integer('computed_tokens').notNull(),
  completionTokens: integer('completion_tokens').notNull(),
  measuredPromptTokens: integer('measured_prompt_tokens').notNull(),
  held: integer('held').notNull().default(0),
  heldMs: integer('held_ms').notNull().default(0),
  heldMostMs: integer('held_most_ms').notNull().default(0),
  displaced: integer('displaced').notNull().default(0),
};
export const usage1m = sqliteTable('usage_1m', usageColumns, (table) => [
  primaryKey({ columns: [table.modelId, table.startS] }),
]);
export const usage1h = sqliteTable('usage_1h', usageColumns, (table) => [
  primaryKey({ columns: [table.modelId, table.startS] }),
]);

/** A histogram per bucket of time: `metric` 1 is the time to first byte, 2 the whole request. */
const latencyColumns = {
  modelId: modelId(),
  startS: integer('start_s').notNull(),
  metric: integer('metric').notNull(),
  bucket: integer('bucket').notNull(),
  count: integer('count').notNull(),
  sumMs: integer('sum_ms').notNull(),
};
export const latency1m = sqliteTable('latency_1m', latencyColumns, (table) => [
  primaryKey({ columns: [table.modelId, table.startS, table.metric, table.bucket] }),
]);
export const latency15m = sqliteTable('latency_15m', latencyColumns, (table) => [
  primaryKey({ columns: [table.modelId, table.startS, table.metric, table.bucket] }),
]);
export const latency1h = sqliteTable('latency_1h', latencyColumns, (table) => [
  primaryKey({ columns: [table.modelId, table.startS, table.metric, table.bucket] }),
]);

/**
 * Finished requests by why they went where they went and how they ended: for the charts of decisions and of errors, also
 * of the time for which single requests are not kept. `status` is what the client got.
 */
const endingColumns = {
  modelId: modelId(),
  startS: integer('start_s').notNull(),
  decision: text('decision').notNull(),
  outcome: text('outcome').notNull(),
  status: integer('status').notNull(),
  requests: integer('requests').notNull(),
};
export const ending1m = sqliteTable('ending_1m', endingColumns, (table) => [
  primaryKey({ columns: [table.modelId, table.startS, table.decision, table.outcome, table.status] }),
]);
export const ending1h = sqliteTable('ending_1h', endingColumns, (table) => [
  primaryKey({ columns: [table.modelId, table.startS, table.decision, table.outcome, table.status] }),
]);

/** One reading of one replica. The token columns are increments since the reading before. */
export const replicaSample = sqliteTable(
  'replica_sample',
  {
    modelId: modelId(),
    takenMs: integer('taken_ms').notNull(),
    replica: integer('replica').notNull(),
    inFlight: integer('in_flight').notNull(),
    liveSessions: integer('live_sessions').notNull(),
    running: integer('running'),
    waiting: integer('waiting'),
    kvMilli: integer('kv_milli'),
    cachedTokens: integer('cached_tokens'),
    computedTokens: integer('computed_tokens'),
  },
  (table) => [primaryKey({ columns: [table.modelId, table.takenMs, table.replica] })],
);

/**
 * Sums, counts and maxima, so that the means of any longer bucket are exact. A gauge has its own count, since an engine
 * may report one and not another; `busy` counts the readings with running requests.
 */
const sampleColumns = {
  modelId: modelId(),
  startS: integer('start_s').notNull(),
  replica: integer('replica').notNull(),
  readings: integer('readings').notNull(),
  inFlightSum: integer('in_flight_sum').notNull(),
  inFlightMax: integer('in_flight_max').notNull(),
  liveSessionsSum: integer('live_sessions_sum').notNull(),
  liveSessionsMax: integer('live_sessions_max').notNull(),
  runningCount: integer('running_count').notNull(),
  runningSum: integer('running_sum'),
  runningMax: integer('running_max'),
  busy: integer('busy').notNull(),
  waitingCount: integer('waiting_count').notNull(),
  waitingSum: integer('waiting_sum'),
  waitingMax: integer('waiting_max'),
  kvCount: integer('kv_count').notNull(),
  kvMilliSum: integer('kv_milli_sum'),
  kvMilliMax: integer('kv_milli_max'),
  cachedTokens: integer('cached_tokens'),
  computedTokens: integer('computed_tokens'),
};
export const sample1m = sqliteTable('sample_1m', sampleColumns, (table) => [
  primaryKey({ columns: [table.modelId, table.startS, table.replica] }),
]);
export const sample1h = sqliteTable('sample_1h', sampleColumns, (table) => [
  primaryKey({ columns: [table.modelId, table.startS, table.replica] }),
]);

/** What the router remembers over its own restart: when its counters began, and those of the fleet as a whole. */
export const router = sqliteTable('router', {
  modelId: integer('model_id')
    .primaryKey()
    .references(() => model.id),
  sinceMs: integer('since_ms').notNull(),
  unrouted: integer('unrouted').notNull(),
});

export const home = sqliteTable(
  'home',
  {
    modelId: modelId(),
    keyHash: text('key_hash').notNull(),
    source: text('source').notNull(),
    replica: integer('replica').notNull(),
    lastUsedMs: integer('last_used_ms').notNull(),
    turns: integer('turns').notNull(),
    small: integer('small', { mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.modelId, table.keyHash] })],
);

export const tally = sqliteTable(
  'tally',
  {
    modelId: modelId(),
    replica: integer('replica').notNull(),
    placed: integer('placed').notNull(),
    sticky: integer('sticky').notNull(),
    spilledIn: integer('spilled_in').notNull(),
    failedOverIn: integer('failed_over_in').notNull(),
    clientPinned: integer('client_pinned').notNull(),
    balanced: integer('balanced').notNull(),
  },
  (table) => [primaryKey({ columns: [table.modelId, table.replica] })],
);

/** The engine processes as last seen, in the order of the model's URLs. `process_start_s` has a fraction. */
export const engineMark = sqliteTable(
  'engine_mark',
  {
    modelId: modelId(),
    position: integer('position').notNull(),
    url: text('url').notNull(),
    processStartS: real('process_start_s'),
    tokensTotal: real('tokens_total'),
    ranks: integer('ranks').notNull(),
  },
  (table) => [primaryKey({ columns: [table.modelId, table.position] })],
);

/** `detail` is a sentence in English; `facts` the values in it as JSON, from which other languages are made. */
export const event = sqliteTable(
  'event',
  {
    seq: integer('seq').primaryKey(),
    atMs: integer('at_ms').notNull(),
    modelId: integer('model_id').references(() => model.id),
    kind: text('kind').notNull(),
    detail: text('detail').notNull(),
    facts: text('facts'),
  },
  (table) => [index('event_at').on(table.atMs), index('event_model_at').on(table.modelId, table.atMs)],
);

/**
 * Benchmark runs, the running one too: `affinity_before` and `cache_fit_before` are what the settings were when it
 * began, to be restored after a crash (null: the configuration decided). `plan` and `report` are JSON texts; `report` is null until there is one.
 */
export const benchmark = sqliteTable(
  'benchmark',
  {
    id: integer('id').primaryKey(),
    modelId: modelId(),
    startedMs: integer('started_ms').notNull(),
    finishedMs: integer('finished_ms'),
    status: text('status', { enum: ['running', 'finished', 'cancelled', 'failed', 'interrupted'] }).notNull(),
    affinityBefore: integer('affinity_before', { mode: 'boolean' }),
    plan: text('plan').notNull(),
    report: text('report'),
    error: text('error'),
    cacheFitBefore: integer('cache_fit_before', { mode: 'boolean' }),
  },
  (table) => [check('benchmark_affinity_is_boolean', sql`${table.affinityBefore} IN (0, 1)`)],
);

/** The last batch written, in its own transaction: a batch sent again after a lost answer is not counted twice. */
export const writtenBatch = sqliteTable(
  'written_batch',
  { one: integer('one').primaryKey(), batch: text('batch').notNull() },
  (table) => [check('written_batch_one_row', sql`${table.one} = 1`)],
);

/**
 * Models that were added in the console. `config` is JSON of what a person would write in warden.yaml, without the key
 * of the engine, which is kept apart and given to nobody but the engine.
 */
export const managedModel = sqliteTable('managed_model', {
  id: integer('id').primaryKey(),
  name: text('name').notNull().unique(),
  config: text('config').notNull(),
  apiKey: text('api_key'),
  createdMs: integer('created_ms').notNull(),
  updatedMs: integer('updated_ms').notNull(),
});

/** Models that would be there by themselves (the simulated fleet) and were removed in the console. */
export const removedModel = sqliteTable('removed_model', {
  id: integer('id').primaryKey(),
  name: text('name').notNull().unique(),
  removedMs: integer('removed_ms').notNull(),
});

/** People who may sign in to the console. `password_hash` is scrypt's with its parameters, never a password. */
export const person = sqliteTable('person', {
  id: integer('id').primaryKey(),
  name: text('name').notNull().unique(),
  role: text('role', { enum: ['admin', 'viewer'] }).notNull(),
  passwordHash: text('password_hash').notNull(),
  createdMs: integer('created_ms').notNull(),
  passwordChangedMs: integer('password_changed_ms').notNull(),
  generation: integer('generation').notNull().default(1),
  roleVersion: integer('role_version').notNull().default(1),
  passwordVersion: integer('password_version').notNull().default(1),
});

/** People who were removed, so that no other warden's copy brings them back: the name in small letters. */
export const removedPerson = sqliteTable(
  'removed_person',
  {
    nameKey: text('name_key').notNull(),
    generation: integer('generation').notNull(),
    removedMs: integer('removed_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.nameKey] })],
);

/** Who is signed in. The cookie's token is kept as its SHA-256 alone. */
export const consoleSession = sqliteTable(
  'console_session',
  {
    tokenHash: text('token_hash').notNull(),
    personId: integer('person_id')
      .notNull()
      .references(() => person.id, { onDelete: 'cascade' }),
    createdMs: integer('created_ms').notNull(),
    lastUsedMs: integer('last_used_ms').notNull(),
    passwordVersion: integer('password_version').notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.tokenHash] })],
);

/** Sessions that were ended before their time, for as long as one may last. */
export const endedSession = sqliteTable(
  'ended_session',
  { tokenHash: text('token_hash').notNull(), endedMs: integer('ended_ms').notNull() },
  (table) => [primaryKey({ columns: [table.tokenHash] })],
);

/**
 * Keys for `/v1`, also the revoked ones: requests name them by `id`, which is never used again. `prefix` is the part of
 * the key by which people recognise it; of the rest only the SHA-256 is kept. `models` is a JSON list of names; null
 * limits, an absent end and absent models mean "no limit".
 */
export const apiKey = sqliteTable('api_key', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  prefix: text('prefix').notNull(),
  keyHash: text('key_hash').notNull().unique(),
  createdMs: integer('created_ms').notNull(),
  createdBy: text('created_by').notNull(),
  expiresMs: integer('expires_ms'),
  revokedMs: integer('revoked_ms'),
  models: text('models'),
  requestsPerMinute: integer('requests_per_minute'),
  concurrentRequests: integer('concurrent_requests'),
});

/** What each key used, hour by hour, kept up like the other rollups. */
export const keyUsage1h = sqliteTable(
  'key_usage_1h',
  {
    apiKeyId: integer('api_key_id').notNull(),
    startS: integer('start_s').notNull(),
    requests: integer('requests').notNull(),
    measured: integer('measured').notNull(),
    cachedTokens: integer('cached_tokens').notNull(),
    computedTokens: integer('computed_tokens').notNull(),
    completionTokens: integer('completion_tokens').notNull(),
    lastUsedMs: integer('last_used_ms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.apiKeyId, table.startS] })],
);

/**
 * Every change that a person made: `actor` by name, since people may be removed. `before` and `after` are JSON of what
 * changed; null where there was nothing before, or is nothing after.
 */
export const audit = sqliteTable(
  'audit',
  {
    seq: integer('seq').primaryKey(),
    atMs: integer('at_ms').notNull(),
    actor: text('actor').notNull(),
    role: text('role').notNull(),
    address: text('address'),
    action: text('action').notNull(),
    subject: text('subject'),
    before: text('before'),
    after: text('after'),
  },
  (table) => [index('audit_at').on(table.atMs)],
);

/** How long things are kept, where a person chose otherwise in the console: `name` as in Retention. */
export const retentionSetting = sqliteTable(
  'retention_setting',
  { name: text('name').notNull(), value: integer('value').notNull() },
  (table) => [primaryKey({ columns: [table.name] })],
);
