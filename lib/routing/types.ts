import type { Reason } from './reason.ts';

/** Decisions, spelled as in the response header, the database and the console. */
export const DECISION_KINDS = [
  'placed',
  'sticky',
  'spilled',
  'failed_over',
  'client_pinned',
  'balanced',
  'unrouted',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** What identifies a conversation. `hash` is made by the caller (scoped by model and client key); never a raw id. */
export type SessionKey = { readonly hash: string; readonly source: string };

/**
 * A request as the router sees it. `turn`: part of a conversation. `side`: a title, classifier, token count or warm-up
 * request, which neither places nor pins a conversation.
 */
export type RoutedRequest = {
  readonly key: SessionKey | null;
  readonly role: 'turn' | 'side';
  /** Why it is a side request, in words for the console; null for a turn. */
  readonly sideReason: string | null;
  /** The client's own `X-data-parallel-rank`, validated against the fleet; null when it sent none. */
  readonly pin: number | null;
  /**
   * Why the router cannot choose the replica of this request (the engine ignores the pin on this endpoint); null when
   * it can.
   */
  readonly unpinnable: string | null;
  /** Size of the request body in bytes: a conversation that was only ever one small request is forgotten early. */
  readonly bodyBytes: number;
  /**
   * The key hash of the conversation whose beginning this one shares (a fork, a conversation resumed under a new id);
   * a new conversation is placed beside it where there is room. Absent or null where none is known.
   */
  readonly relativeOf?: string | null;
};

/** One replica at the moment of a decision. Engine readings are null when unknown or too old. */
export type ReplicaView = {
  readonly up: boolean;
  /** A draining replica takes no new conversations, and those that live there move out with their next turn. */
  readonly draining: boolean;
  /** Share of KV blocks referenced by running requests, 0..1. */
  readonly kvUsage: number | null;
  /** The engine's own gauges at the last reading. */
  readonly running: number | null;
  readonly waiting: number | null;
};

/** What other routers in front of the same replicas have there, as far as it is known; both are counts. */
export type ElsewhereView = { inFlight(replica: number): number; liveSessions(replica: number): number };

/**
 * Which of the eligible replicas a new conversation goes to so that routers which cannot talk to each other agree
 * without a word. Null where none is eligible.
 */
export type Agreement = (keyHash: string, eligible: (replica: number) => boolean) => number | null;

export type FleetView = {
  readonly replicas: readonly ReplicaView[];
  /** One URL with several ranks, where an unrouted request is balanced by the engine itself. */
  readonly engineBalances: boolean;
  /** Absent or null where this is the only router. */
  readonly elsewhere?: ElsewhereView | null;
  /** There only while routers that share their homes cannot: it then places new conversations instead of the load. */
  readonly agreement?: Agreement | null;
};

/** `spillThreshold`: requests in flight at which a replica is over its threshold; resolved, at least 1. */
export type RoutingPolicy = { readonly affinity: boolean; readonly spillThreshold: number };

/**
 * `replica` is null where the engine chooses. `home` is the conversation's home after the decision (null: it has none);
 * `movedFrom` is the home before, and is there only where this decision moves it. `reason` is one sentence for a person, and `why` what it is
 * made of.
 */
export type Decision = {
  readonly kind: DecisionKind;
  readonly replica: number | null;
  readonly home: number | null;
  readonly movedFrom?: number;
  readonly reason: string;
  readonly why: Reason;
};

/** A granted place on a replica. `release` may be called any number of times; only the first counts. */
export type Lease = { readonly decision: Decision; release(now: number): void };

/** Counters of one replica since the counting began. */
export type ReplicaTally = {
  placed: number;
  sticky: number;
  spilledIn: number;
  failedOverIn: number;
  clientPinned: number;
  balanced: number;
};

/** The API that a request's path belongs to; `other` where there is no conversation in it (embeddings, rerank, …). */
export type ApiKind = 'messages' | 'chat' | 'completions' | 'responses' | 'other';
