import type { RequestEntry } from '#lib/contract/activity.ts';

/** A turn's bar, in percent of the tallest: split where the engine said what it had cached, whole where it did not. */
export type TurnBar =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'whole'; readonly percent: number }
  | { readonly kind: 'split'; readonly cached: number; readonly computed: number };

type Measured = Pick<RequestEntry, 'prompt_tokens' | 'cached_tokens'>;

/** `most`: the prompt tokens of the tallest bar. */
export function barOf({ prompt_tokens, cached_tokens }: Measured, most: number): TurnBar {
  if (prompt_tokens === null) return { kind: 'unknown' };
  const percent = (tokens: number): number => (100 * tokens) / most;
  if (cached_tokens === null) return { kind: 'whole', percent: percent(prompt_tokens) };
  return { kind: 'split', cached: percent(cached_tokens), computed: percent(prompt_tokens - cached_tokens) };
}
