import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
const METRICS = [1, 2];
/** From 30 ms to 20 s: where the times of agents' turns lie. */
const FIRST_BUCKET = 36;
const LATENCY_BUCKETS = 30;
const DECISIONS = [
  ['placed', 40],
  ['sticky', 2400],
  ['spilled', 300],
  ['balanced', 260],
] as const;

export type Seed = { readonly model: string; readonly days: number; readonly replicas: number };

/** Fills the rollups of a database that knows the model, as a busy fleet would have in the last `days`. */
export function seedDays(dataDir: string, { model, days, replicas }: Seed): void {
  const sqlite = new Sqlite(join(dataDir, 'warden.db'));
  const id = sqlite.prepare('SELECT id FROM model WHERE name = ?').pluck().get(model);
  if (typeof id !== 'number' && typeof id !== 'bigint') throw new Error(`the database does not know ${model}`);
  const now = Math.floor(Date.now() / 1000);
  sqlite.transaction(() => {
    for (const [table, seconds, kept] of [
      ['1h', HOUR_S, days * DAY_S],
      // As long as minutes are kept, and no longer.
      ['1m', MINUTE_S, Math.min(days, 14) * DAY_S],
    ] as const) {
      const add = inserts(sqlite, table, id);
      const thisStart = Math.floor(now / seconds) * seconds;
      for (let start = thisStart - kept; start < thisStart; start += seconds) add(start, seconds, replicas);
    }
    const quarter = sqlite.prepare('INSERT OR REPLACE INTO latency_15m VALUES (?, ?, ?, ?, 25, 50000)');
    const first = Math.floor((now - Math.min(days, 14) * DAY_S) / 900) * 900;
    for (let start = first; start < now; start += 900) eachLatency((...key) => quarter.run(id, start, ...key));
  })();
  sqlite.close();
}

function eachLatency(add: (metric: number, bucket: number) => void): void {
  for (const metric of METRICS) {
    for (let bucket = FIRST_BUCKET; bucket < FIRST_BUCKET + LATENCY_BUCKETS; bucket += 1) add(metric, bucket);
  }
}

/** Adds one bucket of time to the tables of a tier. Loads sway, so that charts are no straight lines. */
function inserts(sqlite: Sqlite.Database, tier: '1h' | '1m', id: number | bigint) {
  const usage = sqlite.prepare(`INSERT OR REPLACE INTO usage_${tier}
    (model_id, start_s, requests, measured, cached_tokens, computed_tokens, completion_tokens, measured_prompt_tokens,
     held, held_ms, held_most_ms, displaced) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)`);
  const latency = sqlite.prepare(`INSERT OR REPLACE INTO latency_${tier} VALUES (?, ?, ?, ?, 100, 50000)`);
  const ending = sqlite.prepare(`INSERT OR REPLACE INTO ending_${tier} VALUES (?, ?, ?, 'ok', 200, ?)`);
  const sample = sqlite.prepare(`INSERT OR REPLACE INTO sample_${tier}
    (model_id, start_s, replica, readings, in_flight_sum, in_flight_max, live_sessions_sum, live_sessions_max,
     running_count, running_sum, running_max, busy, waiting_count, waiting_sum, waiting_max, kv_count, kv_milli_sum,
     kv_milli_max, cached_tokens, computed_tokens)
    VALUES (@id, @start, @replica, @readings, @sum, 8, @sum, 60, @readings, @sum, 8, @readings, @readings, @readings, 4,
      @readings, @kv, 900, @tokens, @tokens)`);
  return (start: number, seconds: number, replicas: number): void => {
    const load = 1 + 0.5 * Math.sin((start / DAY_S) * 2 * Math.PI);
    const requests = Math.round((3000 / HOUR_S) * seconds * load);
    const cached = requests * 7000;
    usage.run(id, start, requests, requests, cached, requests * 1800, requests * 200, requests * 8800);
    eachLatency((metric, bucket) => latency.run(id, start, metric, bucket));
    for (const [decision, count] of DECISIONS)
      ending.run(id, start, decision, Math.ceil((count / HOUR_S) * seconds * load));
    for (let replica = 0; replica < replicas; replica += 1) {
      const readings = Math.round(seconds / 2);
      const row = { id, start, replica, readings, sum: Math.round(readings * 4 * load) };
      sample.run({ ...row, kv: Math.round(readings * 400 * load), tokens: Math.round(cached / replicas) });
    }
  };
}
