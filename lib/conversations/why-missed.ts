import { formatSeconds } from '#lib/format/duration.ts';
import { formatCompact } from '#lib/format/tokens.ts';
import type { DecisionKind } from '#lib/routing/types.ts';
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
};

/** A turn that reads at least this share of what was there to be read has hit: the last block is never complete. */
const HIT_SHARE = 0.8;

/**
 * Why the last turn of a session had to compute what the turn before had computed, in one sentence; null where it did
 * not have to. Causes that are certain come before those that only remain when everything else is ruled out.
 */
export function whyMissed(turns: LastTurns): string | null {
  const { before, now } = turns;
  if (now.cachedTokens === null || now.promptTokens === null) {
    return 'The engine did not report how much of this prompt came from its cache.';
  }
  const reusable = Math.min(before.promptTokens ?? now.promptTokens, now.promptTokens);
  if (now.cachedTokens >= HIT_SHARE * reusable) return null;
  return whyElsewhere(turns) ?? (turns.change === null ? null : whyChanged(turns.change, turns)) ?? whyEvicted(turns);
}

function whyElsewhere({ before, now, restarted }: LastTurns): string | null {
  if (before.replica !== null && now.replica !== null && before.replica !== now.replica) {
    const why = WHY_ELSEWHERE[now.decision];
    return `This turn was served by replica ${now.replica}${why}; its prefix is in the cache of replica ${before.replica}.`;
  }
  if (restarted) return 'The engine was restarted since the turn before, and its cache began empty.';
  if (before.replica === null || now.replica === null) {
    return 'The engine chose the replica itself, and may have sent this turn to another one than the turn before.';
  }
  return null;
}

const WHY_ELSEWHERE: Readonly<Record<DecisionKind, string>> = {
  placed: ', where the conversation was placed anew',
  sticky: ', its home by now',
  spilled: ', as its home was at the spill threshold',
  failed_over: ', as its home was down',
  client_pinned: ', which the client asked for',
  balanced: ', as the request named no session',
  unrouted: ', as affinity was off',
};

function whyChanged(change: PromptChange, { firstBlockSent }: LastTurns): string | null {
  if (change.firstBlock && firstBlockSent) {
    return 'The first block of the system prompt (x-anthropic-billing-header) is another one than a turn before, so nothing behind it could be reused; the router can pin it for this model.';
  }
  if (change.system) return 'The client changed its system prompt, which stands in front of all messages.';
  if (change.tools) return 'The client changed its tools, which stand in front of all messages.';
  if (change.changedAt !== null) return whyRewritten(change.changedAt, change);
  if (change.systemEntriesAdded > 0) {
    return 'The client added a system message between the others; an engine that moves it to the front of the prompt reads everything behind it anew.';
  }
  return null;
}

function whyRewritten(changedAt: number, { messagesBefore, messagesNow }: PromptChange): string {
  if (messagesNow < messagesBefore) {
    const shorter = `${messagesBefore} messages became ${messagesNow}, with other ones from message ${changedAt + 1} on`;
    return `The client shortened the conversation (a compaction or a step back): ${shorter}.`;
  }
  if (changedAt === 0) return 'The client rewrote the first message, so nothing behind it could be reused.';
  return `The client changed the conversation from message ${changedAt + 1} on, so nothing behind it could be reused.`;
}

function whyEvicted({ now, gapSeconds, workingSetTokens, cacheTokens }: LastTurns): string {
  if (workingSetTokens !== null && cacheTokens !== null && workingSetTokens > cacheTokens) {
    const tokens = `${formatCompact(workingSetTokens)} tokens, and its cache holds ${formatCompact(cacheTokens)}`;
    return `Evicted: the conversations on replica ${now.replica} need ${tokens}.`;
  }
  const gap = `in the ${formatSeconds(gapSeconds)} since the turn before`;
  return `Evicted: other conversations on replica ${now.replica} took its place in the cache ${gap}.`;
}
