import type { DecisionKind } from '#lib/routing/types.ts';

/** What a person wants to know of a conversation, beside its home. Not needed for routing; lost on a restart. */
export type SessionActivity = {
  readonly client: string | null;
  readonly turns: number;
  readonly spills: number;
  readonly inFlight: number;
  readonly contextTokens: number | null;
  /** Cached over all prompt tokens of the last measured turn, 0..1. */
  readonly lastHitShare: number | null;
  readonly lastDecision: DecisionKind;
};

type FinishedTurn = {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cachedTokens: number | null;
};

export type SessionActivities = {
  started(keyHash: string, client: string | null, decision: DecisionKind): void;
  finished(keyHash: string, turn: FinishedTurn): void;
  get(keyHash: string): SessionActivity | null;
};

/** Least recently started beyond `limit` are dropped, as homes are. */
export function createSessionActivities(limit = 8192): SessionActivities {
  const entries = new Map<string, SessionActivity>();
  return {
    started(keyHash, client, decision) {
      const before = entries.get(keyHash);
      entries.delete(keyHash);
      entries.set(keyHash, {
        client: client ?? before?.client ?? null,
        turns: (before?.turns ?? 0) + 1,
        spills: (before?.spills ?? 0) + (decision === 'spilled' ? 1 : 0),
        inFlight: (before?.inFlight ?? 0) + 1,
        contextTokens: before?.contextTokens ?? null,
        lastHitShare: before?.lastHitShare ?? null,
        lastDecision: decision,
      });
      const oldest = entries.size > limit ? entries.keys().next().value : undefined;
      if (oldest !== undefined) entries.delete(oldest);
    },
    finished(keyHash, { promptTokens, completionTokens, cachedTokens }) {
      const before = entries.get(keyHash);
      if (before === undefined) return;
      const measured = promptTokens !== null && promptTokens > 0 && cachedTokens !== null;
      entries.set(keyHash, {
        ...before,
        inFlight: Math.max(0, before.inFlight - 1),
        contextTokens: promptTokens === null ? before.contextTokens : promptTokens + (completionTokens ?? 0),
        lastHitShare: measured ? cachedTokens / promptTokens : before.lastHitShare,
      });
    },
    get: (keyHash) => entries.get(keyHash) ?? null,
  };
}
