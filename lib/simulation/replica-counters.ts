/** Counters since the start, with the meaning of vLLM's of the same name (0.27 and later). */
export type ReplicaCounters = {
  promptTokens: number;
  cachedTokens: number;
  computedTokens: number;
  generationTokens: number;
  /** Tokens looked up and found, at a request's first admission. */
  prefixQueries: number;
  prefixHits: number;
  preemptions: number;
  finished: { stop: number; length: number; abort: number };
};

export function zeroCounters(): ReplicaCounters {
  return {
    promptTokens: 0,
    cachedTokens: 0,
    computedTokens: 0,
    generationTokens: 0,
    prefixQueries: 0,
    prefixHits: 0,
    preemptions: 0,
    finished: { stop: 0, length: 0, abort: 0 },
  };
}
