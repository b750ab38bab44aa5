import type { Conversation } from './conversation.ts';

/** A turn that asks to be sent. `key` names its conversation; `kind` groups conversations that pause alike. */
export type AdmissionTurn = {
  readonly key: string;
  readonly kind: string;
  readonly bodyBytes: number;
  /** Where the router knows that it lives, as from before a restart of its own or from another router; absent: nowhere. */
  readonly home?: number | null;
};

/** The engine's own count for a turn that has ended; `cachedTokens` null where it reports none. */
export type TurnUsage = {
  readonly promptTokens: number;
  readonly cachedTokens: number | null;
  readonly completionTokens: number;
};

/** What other routers in front of the same replicas tell of themselves. */
export type Elsewhere = {
  /** How long it may take until a turn that begins elsewhere is heard of here, in ms; 0: there is no other router. */
  readonly newsMs: number;
  /** How long each turn that they hold has waited, in ms. */
  readonly waitsMs: readonly number[];
  /** What they have on each replica; one that is not named has nothing of theirs. */
  readonly replicas: readonly LoadElsewhere[];
  /** Conversations that changed there a moment ago; empty where they are too many to tell, and `replicas` has sums. */
  readonly conversations: readonly ToldConversation[];
};

/** A conversation as the router tells the others that had it last. Tokens and turns as `Conversation` has them. */
export type ToldConversation = {
  readonly key: string;
  readonly kind: string;
  /** Null: it has no place. */
  readonly replica: number | null;
  readonly tokens: number;
  readonly shared: number;
  readonly lastTotal: number | null;
  readonly turns: number;
  readonly turnsHere: number;
  readonly isInFlight: boolean;
  /** How long its turn has been held, in ms; null: none is. */
  readonly heldForMs: number | null;
  /** Tokens that its turn makes the replica compute, until the first byte. */
  readonly computing: number;
  /** How long ago its turn was held, began or ended, in ms. */
  readonly changedAgoMs: number;
};

/**
 * The turns that others have in flight; and of conversations that this router knows nothing of how many are live, and
 * the tokens of those whose places are kept (without the beginnings that conversations share, which are in the cache once).
 */
export type LoadElsewhere = { readonly conversations: number; readonly tokens: number; readonly inFlight: number };

export const NO_LOAD_ELSEWHERE: LoadElsewhere = { conversations: 0, tokens: 0, inFlight: 0 };
export const NOTHING_ELSEWHERE: Elsewhere = { newsMs: 0, waitsMs: [], replicas: [], conversations: [] };

/** Whether a replica may take work: up and not draining. */
export type OpenReplicas = (replica: number) => boolean;

/** Knobs of admission. `maxHeld`: above it a turn goes to the engine at once; with 0 admission only watches. */
export type AdmissionSettings = {
  /**
   * Within how long all who wait are to get places that others give up; null: from the measured turn rate. Longer: more
   * output and a better median. Shorter: a shorter tail.
   */
  readonly yieldAfterMs: number | null;
  /** The share of turns in a row that is served for each place that is given up. */
  readonly turnsPerStay: number;
  /** Nobody is held longer; then the turn goes to the engine, whatever fits. */
  readonly maxHoldMs: number;
  readonly maxHeld: number;
};

export const DEFAULT_ADMISSION: AdmissionSettings = {
  yieldAfterMs: null,
  turnsPerStay: 3,
  maxHoldMs: 120_000,
  maxHeld: 1000,
};

/**
 * A turn's way through admission. `ready`: to be sent now, to `replica` or, where that is null, wherever the router's
 * own rules say. Only the admission changes it. Times are ms of the admission's clock.
 */
export type Ticket = {
  readonly turn: AdmissionTurn;
  readonly conversation: Conversation;
  readonly askedAt: number;
  state: 'held' | 'ready' | 'sent' | 'ended';
  replica: number | null;
  /** With this turn its conversation gave up its place to others, or for room elsewhere. */
  gaveWay: boolean;
  /** No cache holds its conversation, so its whole prompt has to be computed. */
  isCold: boolean;
  /** Tokens that this makes its replica compute; 0 for a warm turn. */
  coldTokens: number;
  /** Nothing else was waiting for its answer there when it was sent: its own takes as long as its prompt. */
  wasAlone: boolean;
  /** Tokens in use on its replica since its conversation's last turn; null where it has none there. */
  tokensSince: number | null;
  sentAt: number;
  answeringAt: number | null;
};
