import type { KeyUsage } from '#lib/access/types.ts';
import type { Connection } from './open.ts';
import { bucketOf, NEW_REQUESTS } from './rollups.ts';
import { SUMS_OF_REQUESTS } from './usage.ts';

/** What each key used, hour by hour. */
export type KeyUsageTable = {
  /** Adds the requests from `firstSeq` on; each once. */
  rollUp(firstSeq: number): void;
  /** From the hour in which `sinceMs` lies. Keys that used nothing are left out. */
  since(sinceMs: number): readonly KeyUsage[];
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

const READ = `
  SELECT api_key_id AS apiKeyId, SUM(requests) AS requests, SUM(measured) AS measured,
    SUM(cached_tokens) AS cachedTokens, SUM(computed_tokens) AS computedTokens,
    SUM(completion_tokens) AS completionTokens
  FROM api_key CROSS JOIN key_usage_1h ON api_key_id = api_key.id
  WHERE start_s >= (CAST(? AS INTEGER) / 3600000) * 3600 GROUP BY 1`;

export function createKeyUsage({ sqlite }: Connection): KeyUsageTable {
  const add = sqlite.prepare<[number]>(ADD);
  const read = sqlite.prepare<[number], KeyUsage>(READ);
  return {
    rollUp: (firstSeq) => void add.run(firstSeq),
    since: (sinceMs) => read.all(sinceMs),
  };
}
