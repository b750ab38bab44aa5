import { desc, eq } from 'drizzle-orm';
import { model as modelTable, request } from '#drizzle/schema.ts';
import { latencyBucket } from '#lib/series/latency-histogram.ts';
import { cleanRequest } from './clean-row.ts';
import type { ModelIds } from './models.ts';
import type { Connection } from './open.ts';
import type { RequestRow } from './store.ts';

export type Requests = {
  /** Writes one row and returns its `seq`. */
  insert(row: RequestRow): number;
  /** Newest first. */
  newest(model: string | null, limit: number): readonly RequestRow[];
};

const INSERT = `
  INSERT INTO request (id, model_id, started_ms, finished_ms, path, client, session_hash, session_source, replica,
    decision, reason, prompt_tokens, cached_tokens, completion_tokens, ttfb_ms, status, outcome, ttfb_bucket,
    duration_bucket, api_key_id, queued_ms, displaced)
  VALUES (@id, @modelId, @startedAt, @finishedAt, @path, @client, @sessionHash, @sessionSource, @replica,
    @decision, @reason, @promptTokens, @cachedTokens, @completionTokens, @ttfbMs, @status, @outcome, @ttfbBucket,
    @durationBucket, @apiKeyId, @queuedMs, @displacedFlag)`;

type Bound = Omit<RequestRow, 'model' | 'displaced'> & {
  readonly modelId: number;
  readonly displacedFlag: 0 | 1;
  readonly ttfbBucket: number | null;
  readonly durationBucket: number | null;
};

export function createRequests({ sqlite, orm }: Connection, models: ModelIds): Requests {
  const insert = sqlite.prepare<Bound>(INSERT);

  return {
    insert(given) {
      const { model, displaced, ...row } = cleanRequest(given);
      const bound = { ...row, displacedFlag: displaced ? 1 : 0, modelId: models.idOf(model) } as const;
      return Number(insert.run({ ...bound, ...latencyBuckets(row) }).lastInsertRowid);
    },
    newest(model, limit) {
      return orm
        .select(COLUMNS)
        .from(request)
        .innerJoin(modelTable, eq(modelTable.id, request.modelId))
        .where(model === null ? undefined : eq(modelTable.name, model))
        .orderBy(desc(request.finishedMs), desc(request.seq))
        .limit(limit)
        .all();
    },
  };
}

const COLUMNS = {
  id: request.id,
  model: modelTable.name,
  startedAt: request.startedMs,
  finishedAt: request.finishedMs,
  path: request.path,
  client: request.client,
  sessionHash: request.sessionHash,
  sessionSource: request.sessionSource,
  replica: request.replica,
  decision: request.decision,
  reason: request.reason,
  promptTokens: request.promptTokens,
  cachedTokens: request.cachedTokens,
  completionTokens: request.completionTokens,
  ttfbMs: request.ttfbMs,
  status: request.status,
  outcome: request.outcome,
  apiKeyId: request.apiKeyId,
  queuedMs: request.queuedMs,
  displaced: request.displaced,
};

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
