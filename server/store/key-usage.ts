import type { KeyUsage } from '#lib/access/types.ts';
import type { Connection } from './open.ts';
import { bucketOf, NEW_REQUESTS } from './rollups.ts';
import { SUMS_OF_REQUESTS } from './usage.ts';

/** What each key used, hour by hour. */
export type KeyUsageTable = {
  /** Adds the requests from `firstSeq` on; each once. */
  rollUp(firstSeq: number): void;
  /** Of the requests that finished from `fromMs` (included) to `toMs` (excluded). Keys that used nothing are left out. */
  between(fromMs: number, toMs: number): readonly KeyUsage[];
};

const HOUR_SECONDS = 3600;
const SUMMED = ['requests', 'measured', 'cached_tokens', 'computed_tokens', 'completion_tokens'] as const;

const ADD = `
  INSERT INTO key_usage_1h (api_key_id, start_s, ${SUMMED.join(', ')}, last_used_ms)
  SELECT api_key_id, start_s, ${SUMMED.join(', ')}, last_used_ms FROM (
    SELECT api_key_id, ${bucketOf('finished_ms', HOUR_SECONDS)} AS start_s, ${SUMS_OF_REQUESTS},
      MAX(finished_ms) AS last_used_ms
    FROM ${NEW_REQUESTS} WHERE seq >= CAST(? AS INTEGER) AND api_key_id IS NOT NULL GROUP BY 1, 2)
  WHERE true
  ON CONFLICT (api_key_id, start_s) DO UPDATE SET
    ${SUMMED.map((column) => `${column} = ${column} + excluded.${column}`).join(', ')},
    last_used_ms = MAX(last_used_ms, excluded.last_used_ms)`;

/** Named, since the planner would read all requests of each key in place of the few of this stretch. */
const requestsBetween = (from: string, to: string) => `
    SELECT api_key_id, ${SUMMED.join(', ')} FROM (
      SELECT api_key_id, ${SUMS_OF_REQUESTS} FROM request INDEXED BY request_finished
      WHERE api_key_id IS NOT NULL AND finished_ms >= ${from} AND finished_ms < ${to} GROUP BY 1)`;

/** The whole hours from their sums, and what is left at the two ends from the requests themselves. */
const READ = `
  SELECT api_key_id AS apiKeyId, SUM(requests) AS requests, SUM(measured) AS measured,
    SUM(cached_tokens) AS cachedTokens, SUM(computed_tokens) AS computedTokens,
    SUM(completion_tokens) AS completionTokens
  FROM (
    SELECT api_key_id, ${SUMMED.join(', ')} FROM api_key CROSS JOIN key_usage_1h ON api_key_id = api_key.id
    WHERE start_s >= @wholeFrom / 1000 AND start_s < @wholeTo / 1000
    UNION ALL ${requestsBetween('@from', 'MIN(@to, @wholeFrom)')}
    UNION ALL ${requestsBetween('MAX(@wholeFrom, @wholeTo)', '@to')})
  GROUP BY 1`;

/** Milliseconds since the epoch. */
type Stretch = Readonly<Record<'from' | 'to' | 'wholeFrom' | 'wholeTo', number>>;

export function createKeyUsage({ sqlite }: Connection): KeyUsageTable {
  const add = sqlite.prepare<[number]>(ADD);
  const read = sqlite.prepare<[Stretch], KeyUsage>(READ);
  return {
    rollUp: (firstSeq) => void add.run(firstSeq),
    between(from, to) {
      const hour = HOUR_SECONDS * 1000;
      return read.all({ from, to, wholeFrom: Math.ceil(from / hour) * hour, wholeTo: Math.floor(to / hour) * hour });
    },
  };
}
