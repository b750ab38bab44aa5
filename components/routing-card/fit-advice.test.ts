import { expect, it } from 'vitest';
import type { FitRule } from '#lib/contract/admission.ts';
import { fitAdvice, tokensNeeded } from './fit-advice.ts';

/** The reference measurement's box: four caches of 38,400 tokens, contexts of 14,000 of which 3,500 are shared. */
const RULE: FitRule = {
  live_conversations: 24,
  typical_context_tokens: 14_000,
  shared_tokens: 3500,
  total_cache_tokens: 153_600,
  fitting_conversations: 12,
  fits: false,
};

it('says what would make too many conversations fit', () => {
  expect(fitAdvice(RULE, 4)).toEqual({
    neededTokens: 24 * 10_500 + 4 * 3500,
    sessions: 12,
    contextTokens: 9316,
    cacheFactor: 1.8,
    moreReplicas: 4,
  });
});

it('names no context where the shared beginning alone fills the caches, and no number of replicas', () => {
  const rule = { ...RULE, shared_tokens: 40_000, typical_context_tokens: 50_000, fitting_conversations: 0 };
  expect(fitAdvice(rule, 4)).toMatchObject({ sessions: 0, contextTokens: null, moreReplicas: null });
});

it('is silent where the caches or the conversations are not known', () => {
  expect(fitAdvice({ ...RULE, total_cache_tokens: null, fitting_conversations: null }, 4)).toBeNull();
  expect(fitAdvice({ ...RULE, live_conversations: 0, typical_context_tokens: null }, 4)).toBeNull();
  expect(tokensNeeded({ ...RULE, live_conversations: 0, typical_context_tokens: null }, 4)).toBeNull();
});
