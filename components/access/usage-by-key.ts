import { type Cell, inert } from '#components/charts/csv.ts';
import type { ApiKeyState } from '#lib/contract/access.ts';

type Usage = ApiKeyState['usage'];

const promptTokens = ({ prompt_cached_tokens, prompt_computed_tokens }: Usage): number =>
  prompt_cached_tokens + prompt_computed_tokens;

/** The keys that used something, those with the most prompt tokens first. */
export function usageByKey(keys: readonly ApiKeyState[]): readonly ApiKeyState[] {
  return keys
    .filter(({ usage }) => usage.requests > 0)
    .toSorted((a, b) => promptTokens(b.usage) - promptTokens(a.usage) || b.usage.requests - a.usage.requests);
}

/** Prompt tokens of the key with the most. */
export function longestPrompt(keys: readonly ApiKeyState[]): number {
  return Math.max(0, ...keys.map(({ usage }) => promptTokens(usage)));
}

/** In percent; null where no request was measured. */
export function cachedShare(usage: Usage): number | null {
  const all = promptTokens(usage);
  return usage.measured_requests === 0 || all === 0 ? null : (100 * usage.prompt_cached_tokens) / all;
}

/** The columns of the file; of machines and spreadsheets: the same in every language. */
export const USAGE_HEADER = [
  'key',
  'requests',
  'measured_requests',
  'prompt_cached_tokens',
  'prompt_computed_tokens',
  'completion_tokens',
] as const;

export function usageRow({ name, usage }: ApiKeyState): readonly Cell[] {
  const { requests, measured_requests, prompt_cached_tokens, prompt_computed_tokens, completion_tokens } = usage;
  return [inert(name), requests, measured_requests, prompt_cached_tokens, prompt_computed_tokens, completion_tokens];
}
