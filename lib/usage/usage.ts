/** What the engine said of one finished request, in tokens. Null: it did not say. */
export type Usage = {
  /** The whole prompt, cached tokens included. */
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly completionTokens: number | null;
};

export const NO_USAGE: Usage = { promptTokens: null, cachedTokens: null, completionTokens: null };

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

const record = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

/**
 * Reads a `usage` object of any of the four API shapes (vLLM 0.9 to 0.28): OpenAI chat and completions
 * (`prompt_tokens`, `prompt_tokens_details.cached_tokens`), responses (`input_tokens`,
 * `input_tokens_details.cached_tokens`) and Anthropic messages, whose `input_tokens` leaves out what came from the
 * cache as soon as the cache fields are present (vLLM 0.24; before, and without --enable-prompt-tokens-details, it is
 * the total). Returns null for anything that is not such an object.
 */
export function readUsage(value: unknown): Usage | null {
  const usage = record(value);
  if (usage === null) return null;
  if ('prompt_tokens' in usage) {
    return {
      promptTokens: count(usage.prompt_tokens),
      cachedTokens: count(record(usage.prompt_tokens_details)?.cached_tokens),
      completionTokens: count(usage.completion_tokens),
    };
  }
  if (!('input_tokens' in usage)) return null;
  const input = count(usage.input_tokens);
  const details = record(usage.input_tokens_details);
  if (details !== null) {
    return {
      promptTokens: input,
      cachedTokens: count(details.cached_tokens),
      completionTokens: count(usage.output_tokens),
    };
  }
  const cached = count(usage.cache_read_input_tokens);
  const created = count(usage.cache_creation_input_tokens);
  return {
    promptTokens: input === null ? null : input + (cached ?? 0) + (created ?? 0),
    cachedTokens: cached,
    completionTokens: count(usage.output_tokens),
  };
}

/**
 * What one event of a stream says: its usage (Anthropic's `message_start` carries it inside `message`, responses'
 * last event inside `response`), and whether it is an error. Errors inside a stream come under status 200. So does the
 * end of an answer that the engine gave up, see `isGivenUp`.
 */
export function readStreamEvent(value: unknown): { readonly usage: Usage | null; readonly isError: boolean } {
  const event = record(value);
  if (event === null) return { usage: null, isError: false };
  const holder = record(event.message) ?? record(event.response) ?? event;
  const failed = event.type === 'response.failed';
  const isError =
    failed ||
    event.type === 'error' ||
    (record(event.error) !== null && event.type === undefined) ||
    isGivenUp(event.choices, event.type === 'message_delta' ? record(event.delta)?.stop_reason : undefined);
  return { usage: readUsage(holder.usage), isError };
}

/**
 * True where the engine gave an answer up: vLLM (seen on 0.32) that shuts down ends its answers with the reason `abort`,
 * usage and `[DONE]`, under status 200. Anthropic's shape has no such reason: there its place is null.
 */
export function isGivenUp(choices: unknown, stopReason: unknown): boolean {
  if (stopReason === null) return true;
  return Array.isArray(choices) && choices.some((choice) => record(choice)?.finish_reason === 'abort');
}
