/** A conversation as admission knows it. Tokens are the engine's count of its last turn, and estimates until then. */
export type Conversation = {
  readonly key: string;
  readonly kind: string;
  /** Prompt and answer; while a turn is under way, what they are expected to be at its end. */
  tokens: number;
  /** Of these, the beginning that other conversations have as well. */
  shared: number;
  /** Tokens after the last turn whose usage is known; null before the first. */
  lastTotal: number | null;
  bytesPerToken: number | null;
  turns: number;
  /** The replica whose cache is taken to hold it; null: none. */
  replica: number | null;
  /** Where it was last, which may still hold its beginning. */
  lastReplica: number | null;
  /** Turns since it was admitted to `replica`. */
  turnsHere: number;
  inFlight: number;
  held: number;
  /** When its last turn began or ended. */
  lastActiveAt: number;
  /** Tokens that its turn makes its replica compute, until the first byte. */
  computing: number;
  /** When its turn was last held, began or ended, here or elsewhere. */
  changedAt: number;
  /** That was here, and not told by another router. */
  isOwn: boolean;
  /** A turn of it is under way elsewhere, as far as was told, until then. */
  inFlightElsewhereUntil: number;
  /** As above: a turn of it is held elsewhere. */
  heldElsewhereUntil: number;
};

/** Whether what its turn finds in a cache can only be of others: it has had no turn before, here or elsewhere. */
export function isFirst({ turns, lastTotal }: Conversation): boolean {
  return turns <= 1 && lastTotal === null;
}

/** Whether a turn is held, here or elsewhere. */
export function isHeld({ held, heldElsewhereUntil }: Conversation, now: number): boolean {
  return held > 0 || heldElsewhereUntil > now;
}

/** Whether a turn is under way, here or elsewhere. */
export function isUnderWay({ inFlight, inFlightElsewhereUntil }: Conversation, now: number): boolean {
  return inFlight > 0 || inFlightElsewhereUntil > now;
}

export function newConversation(key: string, kind: string, now: number): Conversation {
  return {
    key,
    kind,
    tokens: 0,
    shared: 0,
    lastTotal: null,
    bytesPerToken: null,
    turns: 0,
    replica: null,
    lastReplica: null,
    turnsHere: 0,
    inFlight: 0,
    held: 0,
    lastActiveAt: now,
    computing: 0,
    changedAt: Number.NEGATIVE_INFINITY,
    isOwn: false,
    inFlightElsewhereUntil: Number.NEGATIVE_INFINITY,
    heldElsewhereUntil: Number.NEGATIVE_INFINITY,
  };
}
