import { fillBuckets } from '#lib/series/fill.ts';
import { RANGE_NAMES, RANGES, type Range, rangeWindow, type Tier } from '#lib/series/range.ts';
import { type SeriesWindow, spanOf, spanStarts, tierOf } from '#lib/series/span.ts';
import type { Connection } from './open.ts';
import {
  BAR_S,
  barMs,
  bucketOf,
  MODELS_ASKED,
  NEW_REQUESTS,
  type Rollup,
  type SeriesQuery,
  WINDOW_S,
  windowMs,
} from './rollups.ts';
import type { AdmissionBucket, HitShare, TokenBucket } from './store.ts';

export type Usage = {
  /** Adds the requests from `firstSeq` on to the rollups; each request once. */
  rollUp(firstSeq: number): void;
  series(model: string | null, window: SeriesWindow, now: number): readonly TokenBucket[];
  admission(model: string | null, window: SeriesWindow, now: number): readonly AdmissionBucket[];
  hitShare(model: string | null, seconds: number, now: number): HitShare;
  hitShareIn(model: string | null, window: SeriesWindow, now: number): HitShare;
};

const ROLLUPS: readonly Rollup<'usage_1m' | 'usage_1h'>[] = [
  { table: 'usage_1m', seconds: 60 },
  { table: 'usage_1h', seconds: 3600 },
];

const COLUMNS = [
  'requests',
  'measured',
  'cached_tokens',
  'computed_tokens',
  'completion_tokens',
  'measured_prompt_tokens',
  'held',
  'held_ms',
  'displaced',
] as const;
/** Of two parts of a bucket the larger counts, and not the sum. */
const MOST_COLUMN = 'held_most_ms';

/**
 * What requests add up to; the one place that says so. `computed` is all that was not reported as cached, so a request
 * that was not measured counts whole; one without usage (it failed) counts as a request only.
 */
export const SUMS_OF_REQUESTS = `
  COUNT(*) AS requests,
  COUNT(cached_tokens) AS measured,
  COALESCE(SUM(cached_tokens), 0) AS cached_tokens,
  COALESCE(SUM(prompt_tokens - COALESCE(cached_tokens, 0)), 0) AS computed_tokens,
  COALESCE(SUM(completion_tokens), 0) AS completion_tokens,
  COALESCE(SUM(CASE WHEN cached_tokens IS NOT NULL THEN prompt_tokens END), 0) AS measured_prompt_tokens,
  COUNT(CASE WHEN queued_ms > 0 THEN 1 END) AS held,
  COALESCE(SUM(queued_ms), 0) AS held_ms,
  SUM(displaced) AS displaced,
  COALESCE(MAX(queued_ms), 0) AS ${MOST_COLUMN}`;
const SUMS_OF_ROLLUPS = [
  ...COLUMNS.map((column) => `SUM(${column}) AS ${column}`),
  `MAX(${MOST_COLUMN}) AS ${MOST_COLUMN}`,
].join(', ');

type UsageRow = { readonly start: number } & Readonly<Record<(typeof COLUMNS)[number] | typeof MOST_COLUMN, number>>;

export function createUsage({ sqlite }: Connection): Usage {
  const add = ROLLUPS.map((rollup) => sqlite.prepare<[number]>(addSql(rollup)));
  const read = {
    raw: sqlite.prepare<SeriesQuery, UsageRow>(
      `SELECT ${barMs('finished_ms')} AS start, ${SUMS_OF_REQUESTS} FROM request
       WHERE model_id IN ${MODELS_ASKED} AND ${windowMs('finished_ms')} GROUP BY 1`,
    ),
    '1m': sqlite.prepare<SeriesQuery, UsageRow>(readSql('usage_1m')),
    '1h': sqlite.prepare<SeriesQuery, UsageRow>(readSql('usage_1h')),
  } satisfies Record<Tier, unknown>;

  return {
    rollUp(firstSeq) {
      for (const statement of add) statement.run(firstSeq);
    },
    series: (model, window, now) => filled(model, window, now).map(tokenBucket),
    admission: (model, window, now) => filled(model, window, now).map(admissionBucket),
    hitShareIn: (model, window, now) => shares(rowsOf(model, window, now)),
    hitShare(model, seconds, now) {
      const range = smallestRange(seconds);
      const { to } = rangeWindow(range, now);
      const from = to - Math.ceil(seconds / range.bucketSeconds) * range.bucketSeconds;
      return shares(read[range.tier].all({ model, from, to, width: range.bucketSeconds }));
    },
  };

  function filled(model: string | null, window: SeriesWindow, now: number): readonly UsageRow[] {
    return fillBuckets(spanStarts(spanOf(window, now)), rowsOf(model, window, now), emptyRow);
  }

  function rowsOf(model: string | null, window: SeriesWindow, now: number): readonly UsageRow[] {
    const { from, to, bucketSeconds } = spanOf(window, now);
    return read[tierOf(bucketSeconds)].all({ model, from, to, width: bucketSeconds });
  }
}

function addSql({ table, seconds }: Rollup<string>): string {
  return `
    INSERT INTO ${table} (model_id, start_s, ${[...COLUMNS, MOST_COLUMN].join(', ')})
    SELECT model_id, ${bucketOf('finished_ms', seconds)}, ${SUMS_OF_REQUESTS} FROM ${NEW_REQUESTS}
    WHERE seq >= CAST(? AS INTEGER) GROUP BY 1, 2
    ON CONFLICT (model_id, start_s) DO UPDATE SET
      ${COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(', ')},
      ${MOST_COLUMN} = MAX(${MOST_COLUMN}, excluded.${MOST_COLUMN})`;
}

function readSql(table: string): string {
  return `SELECT ${BAR_S} AS start, ${SUMS_OF_ROLLUPS} FROM ${table}
    WHERE model_id IN ${MODELS_ASKED} AND ${WINDOW_S} GROUP BY 1`;
}

function tokenBucket(row: UsageRow): TokenBucket {
  return {
    start: row.start,
    cached: row.cached_tokens,
    computed: row.computed_tokens,
    completion: row.completion_tokens,
    requests: row.requests,
    measured: row.measured,
    measuredPrompt: row.measured_prompt_tokens,
  };
}

function admissionBucket({ start, requests, held, held_ms, held_most_ms, displaced }: UsageRow): AdmissionBucket {
  return { start, requests, held, heldMs: held_ms, heldMostMs: held_most_ms, displaced };
}

function emptyRow(start: number): UsageRow {
  return {
    start,
    requests: 0,
    measured: 0,
    cached_tokens: 0,
    computed_tokens: 0,
    completion_tokens: 0,
    measured_prompt_tokens: 0,
    held: 0,
    held_ms: 0,
    displaced: 0,
    held_most_ms: 0,
  };
}

/** The shortest range that covers `seconds`; the longest where none does. */
function smallestRange(seconds: number): Range {
  return RANGES[RANGE_NAMES.find((name) => RANGES[name].seconds >= seconds) ?? '30d'];
}

function shares(rows: readonly UsageRow[]): HitShare {
  const sum = (column: (typeof COLUMNS)[number]) => rows.reduce((total, row) => total + row[column], 0);
  const cached = sum('cached_tokens');
  const measured = sum('measured_prompt_tokens');
  const prompt = cached + sum('computed_tokens');
  return {
    hitShare: measured === 0 ? null : cached / measured,
    measuredShare: prompt === 0 ? null : measured / prompt,
  };
}
