import type { RequestEntry } from '#lib/contract/activity.ts';
import { missSentence } from '#lib/conversations/miss.ts';
import { shownKey } from '#server/router/shown-key.ts';
import type { Coded, RequestRow } from '#server/store/store.ts';

/** A stored request as the API shows it. */
export function requestEntry(row: RequestRow): RequestEntry {
  return {
    id: row.id,
    time: new Date(row.startedAt).toISOString(),
    model: row.model,
    path: row.path,
    client: row.client,
    session: row.sessionHash === null ? null : shownKey(row.sessionHash),
    session_source: row.sessionSource,
    replica: row.replica,
    decision: row.decision,
    reason: row.reason,
    reason_code: coded(row.why),
    miss: row.miss === null ? null : missSentence(row.miss),
    miss_code: coded(row.miss),
    prompt_tokens: row.promptTokens,
    cached_tokens: row.cachedTokens,
    completion_tokens: row.completionTokens,
    ttfb_seconds: row.ttfbMs === null ? null : row.ttfbMs / 1000,
    duration_seconds: (row.finishedAt - row.startedAt) / 1000,
    queued_seconds: row.queuedMs === null ? null : row.queuedMs / 1000,
    displaced: row.displaced,
    status: row.status,
    outcome: row.outcome,
  };
}

function coded(sentence: Coded | null): RequestEntry['reason_code'] {
  return sentence === null ? null : { code: sentence.code, values: { ...sentence.values } };
}
