import type { Connection } from './open.ts';

/** How long things are kept. `raw`: readings of replicas; `minute` and `hour`: the rollups. */
export type Retention = {
  readonly rawHours: number;
  readonly minuteDays: number;
  readonly hourDays: number;
  readonly requestDays: number;
  /** At most so many requests are kept one by one, whatever their age. */
  readonly requestRows: number;
  readonly eventDays: number;
  readonly auditDays: number;
};

export const DEFAULT_RETENTION: Retention = {
  rawHours: 48,
  minuteDays: 14,
  hourDays: 400,
  requestDays: 7,
  requestRows: 1_000_000,
  eventDays: 400,
  auditDays: 1100,
};

/** A long delete holds up every read behind it: six days of samples in one statement took 335 ms. */
const ROWS_A_STATEMENT = 5000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Deletes one chunk of what is too old; returns whether there may be more. */
export type RetainStep = (now: number) => boolean;

/** `retention` is asked at every step: a person may change it in the console. */
export function createRetention({ sqlite }: Connection, retention: () => Retention): RetainStep {
  const modelIds = sqlite.prepare<[], number>('SELECT id FROM model').pluck();
  const byModel = [
    { ...keyed('replica_sample', 'taken_ms'), ageMs: (kept: Retention) => kept.rawHours * HOUR_MS, unitMs: 1 },
    ...['usage_1m', 'latency_1m', 'latency_15m', 'sample_1m', 'ending_1m'].map((table) => {
      return { ...keyed(table, 'start_s'), ageMs: (kept: Retention) => kept.minuteDays * DAY_MS, unitMs: 1000 };
    }),
    ...['usage_1h', 'latency_1h', 'sample_1h', 'ending_1h'].map((table) => {
      return { ...keyed(table, 'start_s'), ageMs: (kept: Retention) => kept.hourDays * DAY_MS, unitMs: 1000 };
    }),
  ];
  const bySeq = [
    { ...listed('request', 'finished_ms'), ageMs: (kept: Retention) => kept.requestDays * DAY_MS },
    { ...listed('event', 'at_ms'), ageMs: (kept: Retention) => kept.eventDays * DAY_MS },
    { ...listed('audit', 'at_ms'), ageMs: (kept: Retention) => kept.auditDays * DAY_MS },
  ];
  // `seq` counts the rows written, so the newest ones are those within `requestRows` of the last.
  const surplus = sqlite.prepare<[number]>(`
    DELETE FROM request WHERE seq IN (
      SELECT seq FROM request WHERE seq <= (SELECT MAX(seq) FROM request) - CAST(? AS INTEGER)
      ORDER BY seq LIMIT ${ROWS_A_STATEMENT})`);

  /** By model, since the model comes first in the key. */
  function keyed(table: string, column: string) {
    const sql = `DELETE FROM ${table} WHERE model_id = ? AND ${column} < ? LIMIT ${ROWS_A_STATEMENT}`;
    return { statement: sqlite.prepare<[number, number]>(sql) };
  }

  function listed(table: string, column: string) {
    const oldest = `SELECT seq FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ${ROWS_A_STATEMENT}`;
    return { statement: sqlite.prepare<[number]>(`DELETE FROM ${table} WHERE seq IN (${oldest})`) };
  }

  const ofKeys = sqlite.prepare<[number]>(`
    DELETE FROM key_usage_1h WHERE api_key_id IN (SELECT id FROM api_key) AND start_s < ? LIMIT ${ROWS_A_STATEMENT}`);

  return (now) => {
    const kept = retention();
    if (ofKeys.run((now - kept.hourDays * DAY_MS) / 1000).changes > 0) return true;
    for (const { statement, ageMs } of bySeq) if (statement.run(now - ageMs(kept)).changes > 0) return true;
    if (surplus.run(kept.requestRows).changes > 0) return true;
    for (const modelId of modelIds.all()) {
      for (const { statement, ageMs, unitMs } of byModel) {
        if (statement.run(modelId, (now - ageMs(kept)) / unitMs).changes > 0) return true;
      }
    }
    return false;
  };
}
