import type { Conversation } from './conversation.ts';
import type { ToldConversation } from './types.ts';

/**
 * How long it may take until a turn that began at another router is heard of, in ms: while turns are held each tells
 * four times a second, and hears as often.
 */
export const NEWS_MS = 600;
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

/** Its replica has lost `conversation`: what others tell from before does not bring it back. */
export function lostHere(conversation: Conversation, now: number): void {
  conversation.changedAt = now + CLOCK_JITTER_MS;
}

/** The conversations that changed here a moment ago. `waits`: how long turns of them have been held, in ms. */
export function newsOf(
  all: Iterable<Conversation>,
  waits: ReadonlyMap<Conversation, number>,
  now: number,
): readonly ToldConversation[] {
  const news: ToldConversation[] = [];
  for (const one of all) {
    const heldForMs = waits.get(one) ?? null;
    const isRecent = one.isOwn && (one.inFlight > 0 || now - one.changedAt <= TOLD_FOR_MS);
    if (!isRecent && heldForMs === null) continue;
    const { key, kind, replica, tokens, shared, lastTotal, turns, turnsHere, computing } = one;
    const size = { tokens, shared, lastTotal, turns, turnsHere };
    const underWay = { computing, isInFlight: one.inFlight > 0, heldForMs };
    news.push({ key, kind, replica, ...size, ...underWay, changedAgoMs: now - one.changedAt });
  }
  return news;
}

/** What runs or is held elsewhere is taken for so whatever else is known of it: it is told again and again. */
export function takeUnderWay({ isInFlight, heldForMs }: ToldConversation, known: Conversation, now: number): void {
  if (isInFlight) known.inFlightElsewhereUntil = now + TOLD_FOR_MS;
  if (heldForMs !== null) known.heldElsewhereUntil = now + TOLD_FOR_MS;
}

/** Whether what another router tells of a conversation is newer than what is known of it here. */
export function isNews(told: ToldConversation, known: Conversation, now: number): boolean {
  // One that is held here as well has got a place there, or has none anywhere.
  if (known.inFlight > 0 || (known.held > 0 && told.replica === null)) return false;
  return now - told.changedAgoMs >= known.changedAt - (known.isOwn ? 0 : CLOCK_JITTER_MS);
}

/** Takes over what is told, but for its place. */
export function takeNews(told: ToldConversation, known: Conversation, now: number): void {
  const { tokens, shared, lastTotal, turns, turnsHere, isInFlight, heldForMs, changedAgoMs } = told;
  Object.assign(known, { tokens, shared, lastTotal, turns, turnsHere, isOwn: false });
  known.changedAt = now - changedAgoMs;
  known.lastActiveAt = isInFlight ? now : known.changedAt;
  if (!isInFlight) known.inFlightElsewhereUntil = NEVER;
  if (heldForMs === null) known.heldElsewhereUntil = NEVER;
}
