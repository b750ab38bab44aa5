import type { DecisionKind } from '#lib/routing/types.ts';
import type { Miss } from './miss.ts';
import type { PromptChange } from './prompt-change.ts';

/** A turn of a session as far as it is known afterwards. */
export type TurnSeen = {
  /** Null where the engine chose it, or it is not known. */
  readonly replica: number | null;
  readonly promptTokens: number | null;
  /** Null where the engine did not report it. */
  readonly cachedTokens: number | null;
};

/** What is known of a session's last two turns. */
export type LastTurns = {
  readonly before: TurnSeen;
  readonly now: TurnSeen & { readonly decision: DecisionKind };
  /** From the end of the turn before to the beginning of this one. */
  readonly gapSeconds: number;
  /** What `remember` returned for this turn; null where the messages were not compared. */
  readonly change: PromptChange | null;
  /** The engine of the replica started anew between the two. */
  readonly restarted: boolean;
  /** False where the billing line was pinned on its way, so that the engine never saw it change. */
  readonly firstBlockSent: boolean;
  /**
   * Of the conversations that used the replica in between, this one included, against what its cache holds; null where
   * either is unknown.
   */
  readonly workingSetTokens: number | null;
  readonly cacheTokens: number | null;
  /** The cache keeps whole blocks of so many tokens; null where the engine does not tell. */
  readonly blockTokens: number | null;
};

/** A turn that reads at least this share of what was there to be read has hit. */
const HIT_SHARE = 0.8;
/** vLLM's own default. */
const USUAL_BLOCK_TOKENS = 16;

/**
 * Why the last turn of a session had to compute what the turn before had computed; null where it did not have to.
 * Causes that are certain come before those that only remain when everything else is ruled out.
 */
export function whyMissed(turns: LastTurns): Miss | null {
  const { now } = turns;
  if (now.cachedTokens === null || now.promptTokens === null) return { code: 'not_reported', values: {} };
  if (now.cachedTokens >= HIT_SHARE * reusableTokens(turns)) return null;
  return whyElsewhere(turns) ?? (turns.change === null ? null : whyChanged(turns.change, turns)) ?? whyEvicted(turns);
}

/**
 * Whether a turn read so little of its prompt from the cache that it is worth finding out why: it may be a miss, or a
 * prompt that is mostly new.
 */
export function mayHaveMissed({
  promptTokens,
  cachedTokens,
}: Pick<TurnSeen, 'promptTokens' | 'cachedTokens'>): boolean {
  return promptTokens !== null && cachedTokens !== null && cachedTokens < HIT_SHARE * promptTokens;
}

/** What the turn before can have left for this one: whole blocks, and never the last token, which is always computed. */
function reusableTokens({ before, now, blockTokens }: LastTurns): number {
  const block = blockTokens ?? USUAL_BLOCK_TOKENS;
  const common = Math.min(before.promptTokens ?? Number.POSITIVE_INFINITY, (now.promptTokens ?? 0) - 1);
  return Math.max(0, Math.floor(common / block)) * block;
}

function whyElsewhere({ before, now, restarted }: LastTurns): Miss | null {
  if (before.replica !== null && now.replica !== null && before.replica !== now.replica) {
    const values = { replica: now.replica, before: before.replica, decision: now.decision };
    return { code: 'elsewhere', values };
  }
  if (restarted) return { code: 'restarted', values: {} };
  if (before.replica === null || now.replica === null) return { code: 'engine_chose', values: {} };
  return null;
}

function whyChanged(change: PromptChange, { firstBlockSent }: LastTurns): Miss | null {
  if (change.firstBlock && firstBlockSent) return { code: 'first_block', values: {} };
  if (change.system) return { code: 'system_prompt', values: {} };
  if (change.tools) return { code: 'tools', values: {} };
  if (change.changedAt !== null) return whyRewritten(change.changedAt, change);
  return change.systemEntriesAdded > 0 ? { code: 'system_message', values: {} } : null;
}

function whyRewritten(changedAt: number, { messagesBefore, messagesNow }: PromptChange): Miss {
  const message = changedAt + 1;
  if (messagesNow < messagesBefore) {
    return { code: 'shortened', values: { before: messagesBefore, after: messagesNow, message } };
  }
  return changedAt === 0 ? { code: 'first_message', values: {} } : { code: 'rewritten', values: { message } };
}

function whyEvicted({ now, gapSeconds, workingSetTokens, cacheTokens }: LastTurns): Miss {
  const replica = now.replica ?? '';
  if (workingSetTokens !== null && cacheTokens !== null && workingSetTokens > cacheTokens) {
    return { code: 'too_much', values: { replica, need_tokens: workingSetTokens, cache_tokens: cacheTokens } };
  }
  return { code: 'evicted', values: { replica, gap_seconds: gapSeconds } };
}
