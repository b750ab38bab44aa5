import type { ModelSummary } from '#lib/contract/models.ts';

/** Conversations times their typical context, against the cache of all replicas together. */
export type RuleOfThumb =
  | { readonly kind: 'no_sessions'; readonly capacity: number | null }
  /** Nobody knows one of the two sides of the comparison. */
  | { readonly kind: 'unknown'; readonly sessions: number; readonly context: number | null }
  | {
      readonly kind: 'fits' | 'too_many';
      readonly sessions: number;
      readonly context: number;
      /** The beginning that they share, which each replica holds once; 0 where they share none. */
      readonly shared: number;
      readonly tokens: number;
      readonly capacity: number;
    };

type Numbers = Pick<
  ModelSummary,
  'live_sessions' | 'typical_context_tokens' | 'kv_capacity_tokens' | 'fit' | 'replica_count'
>;

/**
 * Whether the conversations fit the cache; beyond it they evict each other and every turn is cold again. By what
 * admission knows of them, as on the model's page; where it measures nothing (affinity is off), by the live sessions.
 */
export function ruleOfThumb(numbers: Numbers): RuleOfThumb {
  const { fit, live_sessions: sessions, typical_context_tokens: context, kv_capacity_tokens: capacity } = numbers;
  const { live_conversations, typical_context_tokens, shared_tokens: shared, total_cache_tokens: total } = fit;
  if (live_conversations > 0 && typical_context_tokens !== null && total !== null) {
    const tokens = live_conversations * (typical_context_tokens - shared) + shared * numbers.replica_count;
    const kind = fit.fits === false ? 'too_many' : 'fits';
    return { kind, sessions: live_conversations, context: typical_context_tokens, shared, tokens, capacity: total };
  }
  if (sessions === 0) return { kind: 'no_sessions', capacity };
  if (context === null || capacity === null) return { kind: 'unknown', sessions, context };
  const tokens = sessions * context;
  return { kind: tokens > capacity ? 'too_many' : 'fits', sessions, context, shared: 0, tokens, capacity };
}
