/**
 * How long an engine step takes, in ms:
 * `base + perPrefillToken·P + perPrefillContext·P·C + perDecodeContext·D`, with P the prefill tokens of the step, C
 * their mean position in the context and D the summed context length of the decoding requests.
 */
export type StepTiming = {
  readonly baseMs: number;
  readonly perPrefillTokenMs: number;
  readonly perPrefillContextMs: number;
  readonly perDecodeContextMs: number;
  /** Deviation of the logarithm of a step's time. */
  readonly jitterSigma: number;
  /** What the API server adds before a request reaches the engine: a constant, and per 1,000 prompt tokens. */
  readonly apiBaseMs: number;
  readonly apiPerThousandTokensMs: number;
};

/** One replica: its limits as vLLM's flags name them, its cache in blocks (one of them is reserved), its speed. */
export type EngineProfile = {
  readonly maxModelLen: number;
  readonly maxNumSeqs: number;
  readonly maxNumBatchedTokens: number;
  readonly blockSize: number;
  readonly numBlocks: number;
  readonly timing: StepTiming;
};

/**
 * `a4000x4`: Qwen3-4B on an RTX A4000 (16 GiB), set so that its load without affinity meets the reference measurement at
 * 4 and 8 sessions (docs/simulator.md says what each number means).
 * `rtx5090x7`: a 27B model in 4 bits on an RTX 5090, one of seven; estimated, never measured.
 * `demo`: an imaginary larger card, so that agents with long prompts fit and the numbers move at a pleasant pace.
 */
export const PRESETS = {
  a4000x4: {
    maxModelLen: 32_768,
    maxNumSeqs: 32,
    maxNumBatchedTokens: 2048,
    blockSize: 16,
    numBlocks: 2400,
    timing: {
      baseMs: 25,
      perPrefillTokenMs: 0.18,
      perPrefillContextMs: 1.0e-5,
      perDecodeContextMs: 3.5e-4,
      jitterSigma: 0.05,
      apiBaseMs: 8,
      apiPerThousandTokensMs: 1,
    },
  },
  rtx5090x7: {
    maxModelLen: 131_072,
    maxNumSeqs: 32,
    maxNumBatchedTokens: 2048,
    blockSize: 16,
    numBlocks: 9751,
    timing: {
      baseMs: 13,
      perPrefillTokenMs: 0.16,
      perPrefillContextMs: 1.5e-6,
      perDecodeContextMs: 5e-5,
      jitterSigma: 0.05,
      apiBaseMs: 8,
      apiPerThousandTokensMs: 1,
    },
  },
  demo: {
    maxModelLen: 131_072,
    maxNumSeqs: 32,
    maxNumBatchedTokens: 2048,
    blockSize: 16,
    numBlocks: 10_240,
    timing: {
      baseMs: 22,
      perPrefillTokenMs: 0.142,
      perPrefillContextMs: 1.5e-6,
      perDecodeContextMs: 1.5e-4,
      jitterSigma: 0.05,
      apiBaseMs: 8,
      apiPerThousandTokensMs: 1,
    },
  },
} as const satisfies Record<string, EngineProfile>;

export type PresetName = keyof typeof PRESETS;
