import type { Coded, ReplicaSampleRow, RequestRow } from './store.ts';

/** Longer texts are cut: no column needs more, and a row may carry what a client sent. */
const MAX_TEXT = 500;

/**
 * A request as the tables want it: whole numbers, short texts, never more cached than prompt tokens. A cached count
 * without a prompt count says nothing of a share, so it counts as not measured.
 */
export function cleanRequest(row: RequestRow): RequestRow {
  const promptTokens = count(row.promptTokens);
  const cachedTokens = promptTokens === null ? null : count(row.cachedTokens);
  const finishedAt = Math.round(row.finishedAt);
  return {
    ...row,
    id: cut(row.id),
    // The clock may have been set back in between; a duration is never negative.
    startedAt: Math.min(Math.round(row.startedAt), finishedAt),
    finishedAt,
    path: cut(row.path),
    client: row.client === null ? null : cut(row.client),
    reason: cut(row.reason),
    why: short(row.why),
    miss: short(row.miss),
    promptTokens,
    cachedTokens: cachedTokens === null ? null : Math.min(cachedTokens, promptTokens ?? 0),
    completionTokens: count(row.completionTokens),
    ttfbMs: count(row.ttfbMs),
    queuedMs: count(row.queuedMs),
  };
}

/** A reading as the tables want it: whole numbers, and `kvMilli` the KV usage in thousandths. */
export function cleanSample(row: ReplicaSampleRow): ReplicaSampleRow & { readonly kvMilli: number | null } {
  return {
    ...row,
    takenAt: Math.round(row.takenAt),
    inFlight: Math.round(row.inFlight),
    liveSessions: Math.round(row.liveSessions),
    running: count(row.running),
    waiting: count(row.waiting),
    kvMilli: row.kvUsage === null ? null : count(row.kvUsage * 1000),
    cachedTokens: count(row.cachedTokens),
    computedTokens: count(row.computedTokens),
  };
}

/** The sentence beside it says the same: a code with too long a value is done without, as it cannot be cut. */
function short(sentence: Coded | null): Coded | null {
  return sentence !== null && JSON.stringify(sentence).length > MAX_TEXT ? null : sentence;
}

export function cut(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
}

/** A whole number from 0, or null: what is not a number is unknown. */
function count(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Math.max(0, Math.round(value));
}
