import type { ModelSummary } from '#lib/contract/models.ts';

/** Concurrent sessions times their typical context, against the cache of all replicas together. */
export type RuleOfThumb =
  | { readonly kind: 'no_sessions'; readonly capacity: number | null }
  /** Nobody knows one of the two sides of the comparison. */
  | { readonly kind: 'unknown'; readonly sessions: number; readonly context: number | null }
  | {
      readonly kind: 'fits' | 'too_many';
      readonly sessions: number;
      readonly context: number;
      readonly tokens: number;
      readonly capacity: number;
    };

type Numbers = Pick<ModelSummary, 'live_sessions' | 'typical_context_tokens' | 'kv_capacity_tokens'>;

/** Whether the live conversations fit the cache; beyond it they evict each other and every turn is cold again. */
export function ruleOfThumb(numbers: Numbers): RuleOfThumb {
  const { live_sessions: sessions, typical_context_tokens: context, kv_capacity_tokens: capacity } = numbers;
  if (sessions === 0) return { kind: 'no_sessions', capacity };
  if (context === null || capacity === null) return { kind: 'unknown', sessions, context };
  const tokens = sessions * context;
  return { kind: tokens > capacity ? 'too_many' : 'fits', sessions, context, tokens, capacity };
}
