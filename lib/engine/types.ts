/**
 * One reading of one engine process (one URL), all its ranks. Everything an engine may not report is null, never 0.
 * Names and meanings: vLLM's metrics as of 0.32, older names accepted.
 */
export type RankReading = {
  /** The `engine` label: the data-parallel rank. */
  readonly rank: number;
  readonly running: number | null;
  readonly waiting: number | null;
  /** Share of KV blocks referenced by running requests, 0..1 (idle cached blocks do not count). */
  readonly kvUsage: number | null;
  /** Counters since the engine started, in tokens. `cachedTokens` + `computedTokens` are the prompt tokens. */
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly computedTokens: number | null;
  readonly generationTokens: number | null;
  /** KV cache of this rank in tokens. */
  readonly kvCapacityTokens: number | null;
  /** Requests finished so far, all reasons, and those that the engine aborted; 0.32 counts no client that left. */
  readonly finishedRequests: number | null;
  readonly abortedRequests: number | null;
  readonly preemptions: number | null;
};

export type EngineReading = {
  readonly takenAt: number;
  readonly ranks: readonly RankReading[];
  /** Process start, unix seconds; absent with several API-server processes. */
  readonly processStartTime: number | null;
  /** Where the cached/computed split comes from; `prefix_cache_queries` is inflated before vLLM 0.27. */
  readonly cacheSource: 'prompt_tokens_by_source' | 'prompt_tokens_cached' | 'prefix_cache_queries' | null;
  readonly blockSize: number | null;
  readonly prefixCachingEnabled: boolean | null;
};
