/** A finished request, as far as advice is made from it. Token counts are null where the engine did not report them. */
export type AdviceRequest = {
  readonly decision: string;
  readonly client: string | null;
  readonly hasKey: boolean;
  readonly source: string | null;
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
};

/** One replica: its readings averaged over the window (null: not reported), and what its engine is. */
export type AdviceReplica = {
  readonly replica: number;
  readonly up: boolean;
  readonly running: number | null;
  readonly waiting: number | null;
  /** Share of KV blocks in use, 0..1. */
  readonly kvUsage: number | null;
  readonly capacityTokens: number | null;
  readonly prefixCaching: boolean | null;
  readonly version: string | null;
};

/** What advice about one model is made from. */
export type AdviceFacts = {
  readonly affinity: boolean;
  readonly cacheFit: boolean;
  readonly spillThreshold: number;
  readonly maxNumSeqs: number | null;
  /** Of the window, any order. */
  readonly requests: readonly AdviceRequest[];
  readonly replicas: readonly AdviceReplica[];
  /** Conversations that are likely to go on, the tokens of all of them, and how many typical ones fit the caches. */
  readonly conversations: number;
  readonly aliveTokens: number;
  readonly fitting: number | null;
};
