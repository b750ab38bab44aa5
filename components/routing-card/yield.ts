/** The slider's ends, in seconds. Longer times can be typed. */
export const SLIDER = { least: 5, most: 120 } as const;
const LEAST_SECONDS = 1;
const MOST_SECONDS = 3600;

/** Seconds as typed, or what is wrong with them. */
export function parseSeconds(text: string): { readonly value: number } | { readonly problem: 'empty' | 'outside' } {
  if (text.trim() === '') return { problem: 'empty' };
  const value = Number(text);
  return value >= LEAST_SECONDS && value <= MOST_SECONDS ? { value } : { problem: 'outside' };
}
