import { z } from 'zod';
import { readUsage } from '#lib/usage/usage.ts';

const details = z.object({ completion_tokens_details: z.object({ reasoning_tokens: z.number() }) });

/**
 * A chat completion's usage as that of a response; null where there is none. What the engine does not say (cached
 * tokens without --enable-prompt-tokens-details, reasoning tokens without a reasoning parser) makes its details null:
 * clients take null details for unknown, but not a null count in them. An answer without reasoning has 0 tokens of it.
 */
export function responsesUsage(chatUsage: unknown, hasReasoning: boolean): object | null {
  const usage = readUsage(chatUsage);
  if (usage === null || usage.promptTokens === null || usage.completionTokens === null) return null;
  const { promptTokens, cachedTokens, completionTokens } = usage;
  const told = details.safeParse(chatUsage);
  const unknown = hasReasoning ? null : 0;
  const reasoningTokens = told.success ? told.data.completion_tokens_details.reasoning_tokens : unknown;
  return {
    input_tokens: promptTokens,
    input_tokens_details: cachedTokens === null ? null : { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: reasoningTokens === null ? null : { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}
