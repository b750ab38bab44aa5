import type { EngineSettings } from './fleet-options.ts';

/** Tokens of one request so far. */
export type Usage = {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
};

/** Prompt tokens that this request added to the cache: its full blocks that were not there yet. */
function createdTokens(usage: Usage, blockSize: number): number {
  return Math.floor(usage.promptTokens / blockSize) * blockSize - usage.cachedTokens;
}

export function plainUsage(usage: Usage): object {
  return {
    prompt_tokens: usage.promptTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    completion_tokens: usage.completionTokens,
  };
}

/** Usage of chat and completions. */
export function openAiUsage(usage: Usage, settings: EngineSettings): object {
  return {
    ...plainUsage(usage),
    prompt_tokens_details: settings.promptTokensDetails
      ? {
          cached_tokens: usage.cachedTokens,
          created_cache_tokens: createdTokens(usage, settings.profile.blockSize),
          multimodal_tokens: null,
        }
      : null,
  };
}

/** Usage of messages: `input_tokens` is what is left after the cache's part, where that is reported at all. */
export function anthropicUsage(usage: Usage, settings: EngineSettings): object {
  if (!settings.promptTokensDetails) {
    return { input_tokens: usage.promptTokens, output_tokens: usage.completionTokens };
  }
  const created = createdTokens(usage, settings.profile.blockSize);
  return {
    input_tokens: usage.promptTokens - usage.cachedTokens - created,
    output_tokens: usage.completionTokens,
    cache_read_input_tokens: usage.cachedTokens,
    cache_creation_input_tokens: created,
  };
}

/** Usage of responses; the cached tokens are always there. */
export function responsesUsage(usage: Usage): object {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens,
      input_tokens_per_turn: [],
      cached_tokens_per_turn: [],
    },
    output_tokens: usage.completionTokens,
    output_tokens_details: {
      reasoning_tokens: 0,
      tool_output_tokens: 0,
      output_tokens_per_turn: [],
      tool_output_tokens_per_turn: [],
    },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}
