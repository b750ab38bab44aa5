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
  /** It has had to give up its place before. */
  wasDisplaced: boolean;
  inFlight: number;
  held: number;
  /** When its last turn began or ended. */
  lastActiveAt: number;
};

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
    wasDisplaced: false,
    inFlight: 0,
    held: 0,
    lastActiveAt: now,
  };
}
