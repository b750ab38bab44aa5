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

/** Usage in the body of a chat completion. */
export function openAiUsage(usage: Usage, settings: EngineSettings): object {
  const created = createdTokens(usage, settings.profile.blockSize);
  return bodyUsage(usage, settings, created);
}

/** Usage in the body of a completion: this path does not say what it added to the cache. */
export function completionUsage(usage: Usage, settings: EngineSettings): object {
  return bodyUsage(usage, settings, null);
}

/** Usage at the end of a stream of chat completions: what a body has as null is left out. */
export function streamedUsage(usage: Usage, settings: EngineSettings): object {
  const created = createdTokens(usage, settings.profile.blockSize);
  return chunkUsage(usage, settings, { created_cache_tokens: created });
}

/** Usage at the end of a stream of completions. */
export function streamedCompletionUsage(usage: Usage, settings: EngineSettings): object {
  return chunkUsage(usage, settings, {});
}

function bodyUsage(usage: Usage, settings: EngineSettings, created: number | null): object {
  const details = { cached_tokens: usage.cachedTokens, created_cache_tokens: created, multimodal_tokens: null };
  return {
    ...plainUsage(usage),
    prompt_tokens_details: settings.promptTokensDetails ? details : null,
    completion_tokens_details: null,
  };
}

function chunkUsage(usage: Usage, settings: EngineSettings, more: object): object {
  const details = { prompt_tokens_details: { cached_tokens: usage.cachedTokens, ...more } };
  return { ...plainUsage(usage), ...(settings.promptTokensDetails ? details : {}) };
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
export function responsesUsage(usage: Usage, settings: EngineSettings): object {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: createdTokens(usage, settings.profile.blockSize),
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
