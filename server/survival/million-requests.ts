import type Sqlite from 'better-sqlite3';

/*
 * A database as a year of work leaves it, in seconds: rows are made by SQLite itself, in the order of each table's key,
 * and the indexes of the requests after them.
 */

export const FILLED = {
  models: ['qwen', 'llama', 'mistral', 'small'],
  clients: 6,
  keys: 20,
  replicas: 4,
  homes: 8_192,
} as const;

const DAY_S = 86_400;
/** How long things are kept by default, and how often replicas are read. */
const REQUEST_DAYS = 7;
const MINUTE_DAYS = 14;
const HOUR_DAYS = 400;
const RAW_SECONDS = 48 * 3600;
const READ_EVERY_S = 2;
const LATENCY_BUCKETS = 8;
const EVENTS = 200_000;
const AUDITS = 200_000;

/** `now`: ms since the epoch, up to which there is something. */
export type Filling = { readonly requests: number; readonly now: number };

/** Fills the empty tables of a migrated database. */
export function fillDatabase(sqlite: Sqlite.Database, { requests, now }: Filling): void {
  sqlite.pragma('journal_mode = OFF');
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('threads = 2');
  sqlite.pragma('foreign_keys = OFF');
  const nowS = Math.floor(now / 1000);
  FILLED.models.forEach((name, index) => {
    sqlite.prepare('INSERT INTO model (id, name) VALUES (?, ?)').run(index + 1, name);
  });
  const series = (table: string, columns: string, every: number, days: number, values: string, from = '') => {
    const first = Math.floor(nowS / every) * every - days * DAY_S;
    const count = (days * DAY_S) / every;
    sqlite.exec(`INSERT INTO ${table} (model_id, start_s, ${columns})
      WITH RECURSIVE slot(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM slot WHERE n < ${count})
      SELECT model.id, ${first} + slot.n * ${every}, ${values} FROM model CROSS JOIN slot ${from}`);
  };
  fillRequests(sqlite, requests, now);
  const usage =
    'requests, measured, cached_tokens, computed_tokens, completion_tokens, measured_prompt_tokens, held, held_ms, held_most_ms, displaced';
  const used = '50, 48, 40000, 8000, 2000, 46000, 2, 900, 700, 0';
  series('usage_1m', usage, 60, MINUTE_DAYS, used);
  series('usage_1h', usage, 3600, HOUR_DAYS, used);
  const buckets = `CROSS JOIN (${listOf(2, 1)}) AS metric CROSS JOIN (${listOf(LATENCY_BUCKETS, 40)}) AS bucket`;
  const counted = 'metric.n, bucket.n, 6, 4000';
  series('latency_1m', 'metric, bucket, count, sum_ms', 60, MINUTE_DAYS, counted, buckets);
  series('latency_15m', 'metric, bucket, count, sum_ms', 900, MINUTE_DAYS, counted, buckets);
  series('latency_1h', 'metric, bucket, count, sum_ms', 3600, HOUR_DAYS, counted, buckets);
  const endings = `CROSS JOIN (SELECT 'placed' AS d UNION ALL SELECT 'spilled' UNION ALL SELECT 'sticky') AS decision`;
  const ended = `decision.d, 'ok', 200, 16`;
  series('ending_1m', 'decision, outcome, status, requests', 60, MINUTE_DAYS, ended, endings);
  series('ending_1h', 'decision, outcome, status, requests', 3600, HOUR_DAYS, ended, endings);
  const readings =
    'replica, readings, in_flight_sum, in_flight_max, live_sessions_sum, live_sessions_max, running_count, busy, waiting_count, kv_count';
  const replicas = `CROSS JOIN (${listOf(FILLED.replicas, 0)}) AS replica`;
  const read = 'replica.n, 30, 90, 5, 150, 6, 0, 0, 0, 0';
  series('sample_1m', readings, 60, MINUTE_DAYS, read, replicas);
  series('sample_1h', readings, 3600, HOUR_DAYS, read, replicas);
  fillRest(sqlite, now);
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma('journal_mode = WAL');
}

const listOf = (count: number, first: number): string =>
  Array.from({ length: count }, (_, index) => `SELECT ${first + index} AS n`).join(' UNION ALL ');

/** Rare things are rare: one request in a hundred fails, three in a hundred are spilled, the model `small` has few. */
function fillRequests(sqlite: Sqlite.Database, requests: number, now: number): void {
  const indexes = sqlite
    .prepare<[], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'request' AND sql IS NOT NULL`,
    )
    .all();
  for (const { name } of indexes) sqlite.exec(`DROP INDEX "${name}"`);
  const everyMs = (REQUEST_DAYS * DAY_S * 1000) / requests;
  sqlite.exec(`
    WITH RECURSIVE row(n, r) AS (
      SELECT 1, 7919 UNION ALL SELECT n + 1, (r * 48271) % 2147483647 FROM row WHERE n < ${requests})
    INSERT INTO request (seq, id, model_id, started_ms, finished_ms, path, client, session_hash, session_source, replica,
      decision, reason, prompt_tokens, cached_tokens, completion_tokens, ttfb_ms, status, outcome, ttfb_bucket,
      duration_bucket, why, miss, queued_ms, displaced, api_key_id)
    SELECT n, printf('req_%016x%08x', n, r),
      CASE WHEN r % 1000 = 0 THEN 4 WHEN r % 100 < 5 THEN 3 WHEN r % 100 < 30 THEN 2 ELSE 1 END,
      at - 300 - r % 60000, at, '/v1/messages',
      CASE WHEN r % 50 = 0 THEN 'curl 8' ELSE 'Claude Code 2.1.' || (r % ${FILLED.clients - 1}) END,
      printf('%08x%08x%08x%08x', (n / 200) * 2654435761 % 4294967296, n / 200, 7, 7), 'x-claude-code-session-id', r % ${FILLED.replicas},
      CASE WHEN r % 100 < 3 THEN 'spilled' WHEN r % 100 < 8 THEN 'placed' WHEN r % 2000 = 999 THEN 'failed_over' ELSE 'sticky' END,
      'its home, replica 1, has 2 of 8 requests in flight', 10000 + r % 50000, r % 10000, r % 700, r % 29000,
      IIF(r % 101 = 0, 503, 200), IIF(r % 211 = 0, 'client_left', 'ok'), r % 60, r % 60,
      '{"code":"at_home","values":{"home":1,"in_flight":2,"threshold":8}}', NULL, 0, 0, IIF(r % 7 = 0, r % ${FILLED.keys} + 1, NULL)
    FROM (SELECT n, r, CAST(${now} - (${requests} - n) * ${everyMs} AS INTEGER) AS at FROM row)`);
  for (const { sql } of indexes) sqlite.exec(sql);
}

function fillRest(sqlite: Sqlite.Database, now: number): void {
  const numbers = (count: number, from = 1) =>
    `WITH RECURSIVE row(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM row WHERE n < ${count})`;
  const nowS = Math.floor(now / 1000);
  sqlite.exec(`INSERT INTO replica_sample (model_id, taken_ms, replica, in_flight, live_sessions)
    ${numbers(RAW_SECONDS / READ_EVERY_S)}
    SELECT 1, ${now - RAW_SECONDS * 1000} + row.n * ${READ_EVERY_S * 1000}, replica.n, 3, 5
    FROM row CROSS JOIN (${listOf(FILLED.replicas, 0)}) AS replica`);
  sqlite.exec(`INSERT INTO event (at_ms, model_id, kind, detail)
    ${numbers(EVENTS)} SELECT ${now} - (${EVENTS} - n) * 60000, n % 3 + 1, 'engine_up', 'http://engine:8000 is up' FROM row`);
  sqlite.exec(`INSERT INTO audit (at_ms, actor, role, action, subject, before, after)
    ${numbers(AUDITS)} SELECT ${now} - (${AUDITS} - n) * 60000, 'person-' || n % 9, 'admin', 'routing.change', 'qwen',
      '{"spill_threshold":8}', '{"spill_threshold":9}' FROM row`);
  sqlite.exec(`INSERT INTO home (model_id, key_hash, source, replica, last_used_ms, turns, small)
    ${numbers(FILLED.homes)} SELECT model.id, printf('%032x', n * 2654435761), 'x-session-id', n % 4, ${now} - n * 100, 9, 0
    FROM model CROSS JOIN row WHERE model.id < 3`);
  sqlite.exec(`INSERT INTO router (model_id, since_ms, unrouted) SELECT id, ${now}, 0 FROM model`);
  sqlite.exec(`INSERT INTO api_key (id, name, prefix, key_hash, created_ms, created_by)
    ${numbers(FILLED.keys)} SELECT n, 'key ' || n, 'lmw_' || n, 'hash ' || n, ${now}, 'admin' FROM row`);
  sqlite.exec(`INSERT INTO key_usage_1h (api_key_id, start_s, requests, measured, cached_tokens, computed_tokens,
      completion_tokens, last_used_ms)
    ${numbers(HOUR_DAYS * 24, 0)}
    SELECT api_key.id, start, 9, 9, 90, 9, 9, start * 1000 FROM api_key CROSS JOIN
      (SELECT ${Math.floor(nowS / 3600) * 3600 - HOUR_DAYS * DAY_S} + n * 3600 AS start FROM row)`);
}
