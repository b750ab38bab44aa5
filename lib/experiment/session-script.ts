/** A stretch of a prompt. Equal `content` means equal text, so that prompts share a prefix where their stretches agree. */
export type Segment = { readonly content: string; readonly tokens: number };

/** One request of a conversation, as a plan: how its prompt comes about, and what is to be generated. */
export type TurnScript = {
  /** Pause of the client since the answer before (since the start for a first turn), in ms. */
  readonly thinkMs: number;
  /** How many tokens of prompt and answer so far the prompt begins with; null for all of them. */
  readonly keepTokens: number | null;
  /** What follows them. */
  readonly input: readonly Segment[];
  readonly outputTokens: number;
  /** Conversations that start with the pause before this turn; the turn waits until all have ended. */
  readonly subagents: readonly SessionScript[];
};

/** A conversation from its first to its last turn. `key` identifies it as a client's session id would. */
export type SessionScript = { readonly key: string; readonly turns: readonly TurnScript[] };

/** An endless supply of conversations: the same `index` gives the same conversation, whatever else has run. */
export type Workload = { session(index: number): SessionScript };
