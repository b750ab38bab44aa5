import type { Conversation } from './conversation.ts';
import type { ToldConversation } from './types.ts';

/** What changed is told for so long, and a turn that is told as under way is taken for so, as some news may be missed. */
const TOLD_FOR_MS = 3000;
/** The same news comes at a time that is off by what a round trip to the shared clock varies. */
const CLOCK_JITTER_MS = 200;
const NEVER = Number.NEGATIVE_INFINITY;

/** A turn of `conversation` was held, began or ended here. */
export function changedHere(conversation: Conversation, now: number): void {
  conversation.isOwn = true;
  conversation.changedAt = now;
  conversation.inFlightElsewhereUntil = NEVER;
  conversation.heldElsewhereUntil = NEVER;
}

/** The conversations that changed here a moment ago. `waitOf`: how long a turn of one has been held, in ms. */
export function newsOf(
  all: Iterable<Conversation>,
  waitOf: (conversation: Conversation) => number | null,
  now: number,
): readonly ToldConversation[] {
  const news: ToldConversation[] = [];
  for (const one of all) {
    const isStill = one.inFlight === 0 && one.held === 0;
    if (!one.isOwn || (isStill && now - one.changedAt > TOLD_FOR_MS)) continue;
    const { key, kind, replica, tokens, shared, lastTotal, turns, turnsHere, wasDisplaced, computing } = one;
    const size = { tokens, shared, lastTotal, turns, turnsHere };
    const underWay = { computing, isInFlight: one.inFlight > 0, heldForMs: waitOf(one) };
    news.push({ key, kind, replica, ...size, wasDisplaced, ...underWay, changedAgoMs: now - one.changedAt });
  }
  return news;
}

/** Whether what another router tells of a conversation is newer than what is known of it here. */
export function isNews(told: ToldConversation, known: Conversation, now: number): boolean {
  if (known.inFlight > 0 || known.held > 0) return false;
  return now - told.changedAgoMs >= known.changedAt - (known.isOwn ? 0 : CLOCK_JITTER_MS);
}

/** Takes over what is told, but for its place. */
export function takeNews(told: ToldConversation, known: Conversation, now: number): void {
  const { tokens, shared, lastTotal, turns, turnsHere, wasDisplaced, isInFlight, heldForMs, changedAgoMs } = told;
  Object.assign(known, { tokens, shared, lastTotal, turns, turnsHere, wasDisplaced, isOwn: false });
  known.changedAt = now - changedAgoMs;
  known.lastActiveAt = isInFlight ? now : known.changedAt;
  known.inFlightElsewhereUntil = isInFlight ? now + TOLD_FOR_MS : NEVER;
  known.heldElsewhereUntil = heldForMs === null ? NEVER : now + TOLD_FOR_MS;
}
