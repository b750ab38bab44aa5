import { latencyBucket } from '#lib/series/latency-histogram.ts';
import { cleanRequest } from './clean-row.ts';
import type { ModelIds } from './models.ts';
import type { Connection } from './open.ts';
import type { Coded, RequestRow } from './store.ts';

export type Requests = {
  /** Writes one row and returns its `seq`. */
  insert(row: RequestRow): number;
};

const INSERT = `
  INSERT INTO request (id, model_id, started_ms, finished_ms, path, client, session_hash, session_source, replica,
    decision, reason, prompt_tokens, cached_tokens, completion_tokens, ttfb_ms, status, outcome, ttfb_bucket,
    duration_bucket, api_key_id, queued_ms, displaced, why, miss)
  VALUES (@id, @modelId, @startedAt, @finishedAt, @path, @client, @sessionHash, @sessionSource, @replica,
    @decision, @reason, @promptTokens, @cachedTokens, @completionTokens, @ttfbMs, @status, @outcome, @ttfbBucket,
    @durationBucket, @apiKeyId, @queuedMs, @displacedFlag, @why, @miss)`;

type Bound = Omit<RequestRow, 'model' | 'displaced' | 'why' | 'miss'> & {
  readonly modelId: number;
  readonly displacedFlag: 0 | 1;
  readonly why: string | null;
  readonly miss: string | null;
  readonly ttfbBucket: number | null;
  readonly durationBucket: number | null;
};

export function createRequests({ sqlite }: Connection, models: ModelIds): Requests {
  const insert = sqlite.prepare<Bound>(INSERT);

  return {
    insert(given) {
      const { model, displaced, ...row } = cleanRequest(given);
      const bound = { ...row, displacedFlag: displaced ? 1 : 0, modelId: models.idOf(model) } as const;
      return Number(insert.run({ ...bound, ...texts(row), ...latencyBuckets(row) }).lastInsertRowid);
    },
  };
}

function texts({ why, miss }: Pick<RequestRow, 'why' | 'miss'>): { why: string | null; miss: string | null } {
  const json = (value: Coded | null): string | null => (value === null ? null : JSON.stringify(value));
  return { why: json(why), miss: json(miss) };
}

type Timed = Pick<RequestRow, 'ttfbMs' | 'startedAt' | 'finishedAt' | 'status' | 'outcome'>;

/**
 * Where a request counts in the latency histograms. An error is answered fast and a client that left ended the request
 * itself: neither says how long an answer takes. A first byte that was sent counts, whatever the client did later.
 */
function latencyBuckets(row: Timed): { ttfbBucket: number | null; durationBucket: number | null } {
  const answered = row.status < 400 && (row.outcome === 'ok' || row.outcome === 'client_left');
  const ended = row.status < 400 && row.outcome === 'ok';
  return {
    ttfbBucket: answered && row.ttfbMs !== null ? latencyBucket(row.ttfbMs) : null,
    durationBucket: ended ? latencyBucket(row.finishedAt - row.startedAt) : null,
  };
}
