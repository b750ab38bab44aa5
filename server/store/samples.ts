import { fillBuckets } from '#lib/series/fill.ts';
import type { Tier } from '#lib/series/range.ts';
import { type SeriesWindow, spanOf, spanStarts, tierOf } from '#lib/series/span.ts';
import { cleanSample } from './clean-row.ts';
import type { ModelIds } from './models.ts';
import type { Connection } from './open.ts';
import { BAR_S, barMs, bucketOf, MODELS_ASKED, type Rollup, type SeriesQuery, WINDOW_S, windowMs } from './rollups.ts';
import {
  BARS_OF_READINGS,
  BARS_OF_ROLLUPS,
  emptyReplicaBucket,
  MERGE,
  ROLLUP_COLUMNS,
  replicaBucket,
  type SampleRow,
} from './sample-sums.ts';
import type { ReplicaSampleRow, ReplicaSeries } from './store.ts';

export type Samples = {
  /** Writes a reading and adds it to the rollups; a second one of the same replica and time changes nothing. */
  insert(row: ReplicaSampleRow): void;
  series(model: string, window: SeriesWindow, now: number): readonly ReplicaSeries[];
};

const ROLLUPS: readonly Rollup<'sample_1m' | 'sample_1h'>[] = [
  { table: 'sample_1m', seconds: 60 },
  { table: 'sample_1h', seconds: 3600 },
];

const INSERT = `
  INSERT OR IGNORE INTO replica_sample (model_id, taken_ms, replica, in_flight, live_sessions, running, waiting,
    kv_milli, cached_tokens, computed_tokens)
  VALUES (@modelId, @takenAt, @replica, @inFlight, @liveSessions, @running, @waiting,
    @kvMilli, @cachedTokens, @computedTokens)`;

type Bound = Omit<ReplicaSampleRow, 'model'> & { readonly modelId: number; readonly kvMilli: number | null };

export function createSamples({ sqlite }: Connection, models: ModelIds): Samples {
  const insert = sqlite.prepare<Bound>(INSERT);
  const add = ROLLUPS.map((rollup) => sqlite.prepare<[number, number, number]>(addSql(rollup)));
  const read = {
    raw: sqlite.prepare<SeriesQuery, SampleRow>(
      `SELECT replica, ${barMs('taken_ms')} AS start, ${BARS_OF_READINGS} FROM replica_sample
       WHERE model_id IN ${MODELS_ASKED} AND ${windowMs('taken_ms')} GROUP BY 1, 2`,
    ),
    '1m': sqlite.prepare<SeriesQuery, SampleRow>(readSql('sample_1m')),
    '1h': sqlite.prepare<SeriesQuery, SampleRow>(readSql('sample_1h')),
  } satisfies Record<Tier, unknown>;

  return {
    insert(given) {
      const { model, ...row } = cleanSample(given);
      const modelId = models.idOf(model);
      if (insert.run({ ...row, modelId }).changes === 0) return;
      for (const statement of add) statement.run(modelId, row.takenAt, row.replica);
    },
    series(model, window, now) {
      const span = spanOf(window, now);
      const { from, to, bucketSeconds } = span;
      const starts = spanStarts(span);
      const rows = read[tierOf(bucketSeconds)].all({ model, from, to, width: bucketSeconds });
      return [...new Set(rows.map((row) => row.replica))]
        .toSorted((a, b) => a - b)
        .map((replica) => {
          const own = rows.filter((row) => row.replica === replica);
          return { replica, buckets: fillBuckets(starts, own.map(replicaBucket), emptyReplicaBucket) };
        });
    },
  };
}

/** Adds the one reading that the key names. */
function addSql({ table, seconds }: Rollup<string>): string {
  return `
    INSERT INTO ${table} (model_id, start_s, replica, ${ROLLUP_COLUMNS.join(', ')})
    SELECT model_id, ${bucketOf('taken_ms', seconds)}, replica, ${BARS_OF_READINGS} FROM replica_sample
    WHERE model_id = ? AND taken_ms = ? AND replica = ? GROUP BY 1, 2, 3
    ON CONFLICT (model_id, start_s, replica) DO UPDATE SET ${MERGE}`;
}

function readSql(table: string): string {
  return `SELECT replica, ${BAR_S} AS start, ${BARS_OF_ROLLUPS} FROM ${table}
    WHERE model_id IN ${MODELS_ASKED} AND ${WINDOW_S} GROUP BY 1, 2`;
}
