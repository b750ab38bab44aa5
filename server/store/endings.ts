import type { Tier } from '#lib/series/range.ts';
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
import type { EndingBucket, EndingCount } from './store.ts';

export type Endings = {
  /** Adds the requests from `firstSeq` on to the rollups; each request once. */
  rollUp(firstSeq: number): void;
  series(model: string | null, window: SeriesWindow, now: number): readonly EndingBucket[];
};

const ROLLUPS: readonly Rollup<'ending_1m' | 'ending_1h'>[] = [
  { table: 'ending_1m', seconds: 60 },
  { table: 'ending_1h', seconds: 3600 },
];

type EndingRow = EndingCount & { readonly start: number };

export function createEndings({ sqlite }: Connection): Endings {
  const add = ROLLUPS.map((rollup) => sqlite.prepare<[number]>(addSql(rollup)));
  const read = {
    raw: sqlite.prepare<SeriesQuery, EndingRow>(
      `SELECT ${barMs('finished_ms')} AS start, decision, outcome, status, COUNT(*) AS requests FROM request
       WHERE model_id IN ${MODELS_ASKED} AND ${windowMs('finished_ms')} GROUP BY 1, 2, 3, 4`,
    ),
    '1m': sqlite.prepare<SeriesQuery, EndingRow>(readSql('ending_1m')),
    '1h': sqlite.prepare<SeriesQuery, EndingRow>(readSql('ending_1h')),
  } satisfies Record<Tier, unknown>;

  return {
    rollUp(firstSeq) {
      for (const statement of add) statement.run(firstSeq);
    },
    series(model, window, now) {
      const span = spanOf(window, now);
      const { from, to, bucketSeconds } = span;
      const byStart = new Map<number, EndingCount[]>(spanStarts(span).map((start) => [start, []]));
      for (const { start, ...count } of read[tierOf(bucketSeconds)].all({ model, from, to, width: bucketSeconds })) {
        byStart.get(start)?.push(count);
      }
      return Array.from(byStart, ([start, counts]) => ({ start, counts }));
    },
  };
}

function addSql({ table, seconds }: Rollup<string>): string {
  return `
    INSERT INTO ${table} (model_id, start_s, decision, outcome, status, requests)
    SELECT model_id, ${bucketOf('finished_ms', seconds)}, decision, outcome, status, COUNT(*) FROM ${NEW_REQUESTS}
    WHERE seq >= CAST(? AS INTEGER) GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (model_id, start_s, decision, outcome, status) DO UPDATE SET requests = requests + excluded.requests`;
}

function readSql(table: string): string {
  return `SELECT ${BAR_S} AS start, decision, outcome, status, SUM(requests) AS requests FROM ${table}
    WHERE model_id IN ${MODELS_ASKED} AND ${WINDOW_S} GROUP BY 1, 2, 3, 4`;
}
