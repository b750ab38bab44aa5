import { parseExposition } from './prometheus-text.ts';

/**
 * The ranks that sleep, by `vllm:engine_sleep_state{sleep_state="awake"}`; none where the engine does not report it. A
 * sleeping vLLM still answers `/health` with 200, but requests wait until it is woken.
 */
export function sleepingRanks(text: string): number[] {
  const ranks: number[] = [];
  for (const { labels, value } of parseExposition(text, (name) => name === 'vllm:engine_sleep_state')) {
    if (labels.get('sleep_state') === 'awake' && value === 0) ranks.push(Number(labels.get('engine') ?? 0));
  }
  return ranks;
}
