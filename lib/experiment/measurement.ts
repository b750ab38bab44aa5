/** One request as its client saw it. Times are ms since the step began; null: has not happened. */
export type TurnRecord = {
  /** 0 for the first turn of a conversation. */
  readonly turn: number;
  readonly sentAt: number;
  readonly firstByteAt: number | null;
  readonly endedAt: number | null;
  readonly promptTokens: number;
  /** The engine's count; null before the first token, or where it reports none. */
  readonly cachedTokens: number | null;
  readonly outputTokens: number;
  /** It went to its conversation's home; null for first turns and where nothing keeps homes. */
  readonly stayed: boolean | null;
  /** How long the router held it back before it went to the engine; null where that is not known or it is held still. */
  readonly heldMs: number | null;
};

/** What one step of one policy gave, in virtual time or live. The report is derived from this and nothing else. */
export type StepMeasurement = {
  readonly policy: string;
  /** Conversations kept going at once; with open arrivals the number started in an hour. */
  readonly sessions: number;
  readonly seconds: number;
  /** All requests sent within the step. */
  readonly turns: readonly TurnRecord[];
  /** How long each conversation that ended within the step took from first request to last answer, in ms. */
  readonly sessionDurations: readonly number[];
  /** Output tokens that arrived within the step, of unfinished answers as well. */
  readonly outputTokens: number;
  /** Replicas with running requests, at each poll. */
  readonly busyReplicas: readonly number[];
  /** Change of the engine's counters over the step, all replicas; null where it reports none. */
  readonly prefix: { readonly queries: number; readonly hits: number } | null;
};
