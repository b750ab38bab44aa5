import type { FitRule } from '#lib/contract/admission.ts';

/** What would make the live conversations fit the caches, each change by itself. Counts of tokens are whole. */
export type FitAdvice = {
  /** What they need: their own tokens, and the beginning that they share once for each replica. */
  readonly neededTokens: number;
  readonly sessions: number;
  /** The context with which all would fit; null where not even the shared beginnings do. */
  readonly contextTokens: number | null;
  /** How many times as large each cache would have to be, in tenths. */
  readonly cacheFactor: number;
  /** Replicas to add; null where one holds none of them. */
  readonly moreReplicas: number | null;
};

/** Null where the numbers for it are not known, or nobody is live. */
export function fitAdvice(rule: FitRule, replicas: number): FitAdvice | null {
  const { live_conversations: live, typical_context_tokens: context, shared_tokens: shared } = rule;
  const { total_cache_tokens: total, fitting_conversations: fitting } = rule;
  if (context === null || total === null || fitting === null || live === 0 || replicas === 0) return null;
  const neededTokens = tokensNeeded(rule, replicas) ?? 0;
  const own = (total - replicas * shared) / live;
  return {
    neededTokens,
    sessions: fitting,
    contextTokens: own > 0 ? Math.floor(shared + own) : null,
    cacheFactor: Math.max(1.1, Math.ceil((10 * neededTokens) / Math.max(1, total)) / 10),
    moreReplicas: fitting === 0 ? null : Math.max(1, Math.ceil((live * replicas) / fitting) - replicas),
  };
}

/** Null where nobody is live. */
export function tokensNeeded(rule: FitRule, replicas: number): number | null {
  const { live_conversations: live, typical_context_tokens: context, shared_tokens: shared } = rule;
  return context === null ? null : Math.round(live * (context - shared) + replicas * shared);
}
