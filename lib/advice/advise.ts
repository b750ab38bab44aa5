import type { Advice } from '#lib/contract/advice.ts';
import { cacheAdvice } from './cache-advice.ts';
import { engineAdvice } from './engine-advice.ts';
import type { AdviceFacts } from './facts.ts';
import { loadAdvice } from './load-advice.ts';

/** What could be better with a model, by its counters: warnings first. Empty where all is well or nothing is known. */
export function advise(facts: AdviceFacts): Advice[] {
  // Without prefix caching there are no hits to explain.
  const isCachingOff = facts.replicas.some((replica) => replica.prefixCaching === false);
  const all = [...(isCachingOff ? [] : cacheAdvice(facts)), ...loadAdvice(facts), ...engineAdvice(facts)];
  const rank = ({ severity }: Advice): number => (severity === 'warn' ? 0 : 1);
  return all.toSorted((a, b) => rank(a) - rank(b));
}
