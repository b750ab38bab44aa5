import type { AdviceRequest } from './facts.ts';

/** The requests that went where they went for one reason. */
export function of(requests: readonly AdviceRequest[], decision: string): AdviceRequest[] {
  return requests.filter((request) => request.decision === decision);
}

/** Cached over all prompt tokens of the measured ones, 0..1; null where none was measured. */
export function hitShare(requests: readonly AdviceRequest[]): number | null {
  let cached = 0;
  let prompt = 0;
  for (const { promptTokens, cachedTokens } of requests) {
    if (promptTokens === null || cachedTokens === null) continue;
    cached += cachedTokens;
    prompt += promptTokens;
  }
  return prompt === 0 ? null : cached / prompt;
}

/** Sticky over sticky and spilled, 0..1: first placements do not count. Null where there was neither. */
export function stickyShare(requests: readonly AdviceRequest[]): number | null {
  const sticky = of(requests, 'sticky').length;
  const all = sticky + of(requests, 'spilled').length;
  return all === 0 ? null : sticky / all;
}

/** The value that comes up most often, the first of several; null where all are null. */
export function mostFrequent(values: readonly (string | null)[]): { value: string; count: number } | null {
  return heaviest(values.map((value) => [value, 1]));
}

/** The client whose requests made the engine compute most. */
export function tokensLost(requests: readonly AdviceRequest[]): string | null {
  const computed = requests.map(({ client, promptTokens, cachedTokens }): [string | null, number] => [
    client,
    (promptTokens ?? 0) - (cachedTokens ?? 0),
  ]);
  return heaviest(computed)?.value ?? null;
}

function heaviest(weighed: readonly (readonly [string | null, number])[]): { value: string; count: number } | null {
  const sums = new Map<string, number>();
  for (const [value, weight] of weighed) if (value !== null) sums.set(value, (sums.get(value) ?? 0) + weight);
  let best: { value: string; count: number } | null = null;
  for (const [value, count] of sums) if (best === null || count > best.count) best = { value, count };
  return best;
}
