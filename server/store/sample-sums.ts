import type { GaugeSummary, ReplicaBucket } from './store.ts';

/*
 * How readings add up: means are kept as a sum and a count, so that the mean of a longer bucket is exact. A gauge that
 * an engine does not report has the count 0 and the sum NULL.
 */
type Combine = 'sum' | 'max';

/** Each column of a rollup: how one reading gives it, and how two buckets combine. */
const COLUMNS = {
  readings: ['COUNT(*)', 'sum'],
  in_flight_sum: ['SUM(in_flight)', 'sum'],
  in_flight_max: ['MAX(in_flight)', 'max'],
  live_sessions_sum: ['SUM(live_sessions)', 'sum'],
  live_sessions_max: ['MAX(live_sessions)', 'max'],
  running_count: ['COUNT(running)', 'sum'],
  running_sum: ['SUM(running)', 'sum'],
  running_max: ['MAX(running)', 'max'],
  busy: ['COALESCE(SUM(running > 0), 0)', 'sum'],
  waiting_count: ['COUNT(waiting)', 'sum'],
  waiting_sum: ['SUM(waiting)', 'sum'],
  waiting_max: ['MAX(waiting)', 'max'],
  kv_count: ['COUNT(kv_milli)', 'sum'],
  kv_milli_sum: ['SUM(kv_milli)', 'sum'],
  kv_milli_max: ['MAX(kv_milli)', 'max'],
  cached_tokens: ['SUM(cached_tokens)', 'sum'],
  computed_tokens: ['SUM(computed_tokens)', 'sum'],
} as const satisfies Record<string, readonly [string, Combine]>;

const ENTRIES = Object.entries(COLUMNS);

export const ROLLUP_COLUMNS: readonly string[] = ENTRIES.map(([column]) => column);

/** SQL: the columns from raw readings, and from rollups. */
export const BARS_OF_READINGS = ENTRIES.map(([column, [of]]) => `${of} AS ${column}`).join(', ');
export const BARS_OF_ROLLUPS = ENTRIES.map(
  ([column, [, combine]]) => `${combine === 'sum' ? 'SUM' : 'MAX'}(${column}) AS ${column}`,
).join(', ');

/** SQL: adds a new row to the one that is there. NULL (not reported) plus a number is the number. */
export const MERGE = ENTRIES.map(([column, [, combine]]) => {
  const both = combine === 'sum' ? `${column} + excluded.${column}` : `MAX(${column}, excluded.${column})`;
  return `${column} = COALESCE(${both}, ${column}, excluded.${column})`;
}).join(', ');

type Nullable = 'running_sum' | 'running_max' | 'waiting_sum' | 'waiting_max' | 'kv_milli_sum' | 'kv_milli_max';
type Unreported = Nullable | 'cached_tokens' | 'computed_tokens';

export type SampleRow = { readonly replica: number; readonly start: number } & {
  readonly [Column in keyof typeof COLUMNS]: Column extends Unreported ? number | null : number;
};

export function replicaBucket(row: SampleRow): ReplicaBucket {
  const kv = gauge(row.kv_milli_sum, row.kv_count, row.kv_milli_max);
  return {
    start: row.start,
    inFlight: gauge(row.in_flight_sum, row.readings, row.in_flight_max),
    liveSessions: gauge(row.live_sessions_sum, row.readings, row.live_sessions_max),
    running: gauge(row.running_sum, row.running_count, row.running_max),
    waiting: gauge(row.waiting_sum, row.waiting_count, row.waiting_max),
    kvUsage: kv === null ? null : { mean: kv.mean / 1000, max: kv.max / 1000 },
    busyShare: row.running_count === 0 ? null : row.busy / row.running_count,
    cachedTokens: row.cached_tokens,
    computedTokens: row.computed_tokens,
  };
}

export function emptyReplicaBucket(start: number): ReplicaBucket {
  return {
    start,
    inFlight: null,
    liveSessions: null,
    running: null,
    waiting: null,
    kvUsage: null,
    busyShare: null,
    cachedTokens: null,
    computedTokens: null,
  };
}

function gauge(sum: number | null, count: number, max: number | null): GaugeSummary | null {
  return sum === null || max === null || count === 0 ? null : { mean: sum / count, max };
}
