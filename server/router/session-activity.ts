import type { Miss } from '#lib/conversations/miss.ts';
import type { PromptChange } from '#lib/conversations/prompt-change.ts';
import { whyMissed } from '#lib/conversations/why-missed.ts';
import type { DecisionKind } from '#lib/routing/types.ts';

/** A finished turn as its conversation's next one is compared with it. */
type LastTurn = {
  readonly replica: number | null;
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly endedAt: number;
};

/** What a person wants to know of a conversation, beside its home. Not needed for routing; lost on a restart. */
export type SessionActivity = {
  readonly client: string | null;
  readonly turns: number;
  readonly spills: number;
  /** Turns with which it gave up its place to others. */
  readonly displaced: number;
  readonly inFlight: number;
  readonly contextTokens: number | null;
  /** Cached over all prompt tokens of the last measured turn, 0..1. */
  readonly lastHitShare: number | null;
  readonly lastDecision: DecisionKind;
  /** Why the last turn computed what the turn before had computed; null where it did not. */
  readonly lastMiss: Miss | null;
  readonly lastTurn: LastTurn | null;
};

export type FinishedTurn = {
  readonly replica: number | null;
  readonly decision: DecisionKind;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cachedTokens: number | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly change: PromptChange | null;
  readonly firstBlockSent: boolean;
  /** When the engine of the replica last restarted; null where it did not since we know it. */
  readonly restartedAt: number | null;
  /** What the conversations that live on the replica need, and what its cache holds; null where it is not known. */
  readonly workingSetTokens: number | null;
  readonly cacheTokens: number | null;
  readonly blockTokens: number | null;
};

export type SessionActivities = {
  started(keyHash: string, client: string | null, decision: DecisionKind, gaveWay: boolean): void;
  /** Returns why this turn missed the cache; null where it did not, or that cannot be said. */
  finished(keyHash: string, turn: FinishedTurn): Miss | null;
  /** The turn that was started could not be sent as decided at first, and goes by another decision. */
  movedOn(keyHash: string, first: DecisionKind, decision: DecisionKind): void;
  /** The turn that was started was not sent, and will be started again. */
  withdrawn(keyHash: string, decision: DecisionKind, gaveWay: boolean): void;
  get(keyHash: string): SessionActivity | null;
};

/** Least recently started beyond `limit` are dropped, as homes are. */
export function createSessionActivities(limit = 8192): SessionActivities {
  const entries = new Map<string, SessionActivity>();
  return {
    started(keyHash, client, decision, gaveWay) {
      const before = entries.get(keyHash);
      entries.delete(keyHash);
      entries.set(keyHash, {
        client: client ?? before?.client ?? null,
        turns: (before?.turns ?? 0) + 1,
        spills: (before?.spills ?? 0) + countsAsSpill(decision),
        displaced: (before?.displaced ?? 0) + (gaveWay ? 1 : 0),
        inFlight: (before?.inFlight ?? 0) + 1,
        contextTokens: before?.contextTokens ?? null,
        lastHitShare: before?.lastHitShare ?? null,
        lastDecision: decision,
        lastMiss: before?.lastMiss ?? null,
        lastTurn: before?.lastTurn ?? null,
      });
      const oldest = entries.size > limit ? entries.keys().next().value : undefined;
      if (oldest !== undefined) entries.delete(oldest);
    },
    finished(keyHash, turn) {
      const before = entries.get(keyHash);
      if (before === undefined) return null;
      const after = afterTurn(before, turn);
      entries.set(keyHash, after);
      // One that was not measured leaves the miss of the turn before standing.
      return turn.promptTokens === null ? null : after.lastMiss;
    },
    movedOn(keyHash, first, decision) {
      const entry = entries.get(keyHash);
      if (entry === undefined) return;
      const spills = Math.max(0, entry.spills + countsAsSpill(decision) - countsAsSpill(first));
      entries.set(keyHash, { ...entry, spills, lastDecision: decision });
    },
    withdrawn(keyHash, decision, gaveWay) {
      const entry = entries.get(keyHash);
      if (entry === undefined) return;
      entries.set(keyHash, {
        ...entry,
        inFlight: Math.max(0, entry.inFlight - 1),
        turns: Math.max(0, entry.turns - 1),
        spills: Math.max(0, entry.spills - countsAsSpill(decision)),
        displaced: Math.max(0, entry.displaced - (gaveWay ? 1 : 0)),
      });
    },
    get: (keyHash) => entries.get(keyHash) ?? null,
  };
}

const countsAsSpill = (decision: DecisionKind): number => (decision === 'spilled' ? 1 : 0);

function afterTurn(before: SessionActivity, turn: FinishedTurn): SessionActivity {
  const { replica, promptTokens, completionTokens, cachedTokens, endedAt } = turn;
  const inFlight = Math.max(0, before.inFlight - 1);
  // A turn that was cut off or refused says nothing of the cache.
  if (promptTokens === null) return { ...before, inFlight };
  return {
    ...before,
    inFlight,
    contextTokens: promptTokens + (completionTokens ?? 0),
    lastHitShare: cachedTokens === null || promptTokens === 0 ? before.lastHitShare : cachedTokens / promptTokens,
    lastMiss: before.lastTurn === null ? null : missOf(before.lastTurn, turn),
    lastTurn: { replica, promptTokens, cachedTokens, endedAt },
  };
}

function missOf(before: LastTurn, turn: FinishedTurn): Miss | null {
  return whyMissed({
    before,
    now: turn,
    gapSeconds: Math.max(0, turn.startedAt - before.endedAt) / 1000,
    change: turn.change,
    restarted: turn.restartedAt !== null && turn.restartedAt > before.endedAt,
    firstBlockSent: turn.firstBlockSent,
    workingSetTokens: turn.workingSetTokens,
    cacheTokens: turn.cacheTokens,
    blockTokens: turn.blockTokens,
  });
}
