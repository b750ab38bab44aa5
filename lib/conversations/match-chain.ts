import type { Conversation, ConversationMemory, ScopedChain } from './conversation-memory.ts';
import type { Hash } from './hash.ts';
import { type Link, NO_LINK } from './link-table.ts';
import type { PromptMarks } from './prompt-change.ts';

/**
 * What a request's messages have to do with what is remembered. `continues`: it is the next request of the
 * conversation. `related`: it shares so much with it that its cache is of use, but is one of its own (null: no such).
 */
export type Match = {
  readonly continues: Conversation | null;
  readonly related: Conversation | null;
  readonly messages: number;
  readonly bytes: number;
};

const NO_MATCH: Match = { continues: null, related: null, messages: 0, bytes: 0 };

/** More different requests than this behind the same messages: those are what a program puts before every task. */
const MAX_BRANCHES = 8;
/** How many answers of the model are looked up, from the latest, and in how many places each. */
const MAX_ANSWERS = 24;
const MAX_PLACES = 8;
/** How far back two conversations are compared message by message. */
const WINDOW = 64;
/** An answer that is smaller than this with all its JSON ("Done.") may stand in any conversation. */
const TELLING_BYTES = 80;

/**
 * The conversation that a request goes on with, from the surest sign to the weakest: all of its latest request is the
 * beginning of this one; all but its last message is; most of its latest messages stand in this one, behind another
 * beginning (a client that rewrote its first message, cut the middle out or summed it up). The words of the user alone
 * never join two requests, except that they begin one: many conversations begin alike.
 */
export function matchChain(memory: ConversationMemory, chain: ScopedChain): Match {
  const { grownFrom, deepest } = walk(memory, chain);
  const shared = memory.links.depth(deepest);
  if (grownFrom !== NO_LINK && memory.links.depth(grownFrom) + 1 >= shared) {
    const grown = grownConversation(memory, chain, grownFrom);
    if (grown !== null) return matched(memory, grownFrom, { continues: grown });
  }
  const owner = sharer(memory, chain, deepest);
  if (owner !== null && isEdited(memory, owner, chain, shared)) return matched(memory, deepest, { continues: owner });
  const alike = alikeMatch(memory, chain, shared);
  if (alike.continues !== null || owner === null) return alike;
  return matched(memory, deepest, { related: owner });
}

function matched(memory: ConversationMemory, link: Link, found: Partial<Match>): Match {
  return { ...NO_MATCH, messages: memory.links.depth(link), bytes: memory.links.bytesSoFar(link), ...found };
}

/** Follows the messages as far as they are known, and notes the last place where a remembered request ended. */
function walk({ links }: ConversationMemory, { hashes }: ScopedChain) {
  let grownFrom: Link = NO_LINK;
  let deepest: Link = NO_LINK;
  for (const hash of hashes) {
    const link = links.child(deepest, hash);
    if (link === NO_LINK) break;
    deepest = link;
    if (links.isTail(link)) grownFrom = link;
  }
  return { grownFrom, deepest };
}

/**
 * The conversation whose latest request ended in `tail`. Several that began alike are as good as each other until the
 * first answer: one with the same system prompt and tools is taken that waits for its next turn.
 */
function grownConversation(memory: ConversationMemory, chain: ScopedChain, tail: Link): Conversation | null {
  const { links } = memory;
  const ending = memory.endingIn(tail).slice(-WINDOW);
  const here = ending.filter(({ scope }) => scope === chain.scope);
  const alike = here.filter(({ marks }) => hasSameFront(marks, chain.marks));
  const candidates = alike.length > 0 ? alike : here;
  const next = chain.chain.messages[links.depth(tail)];
  if (links.isAnswered(tail) || next?.byModel === true) {
    return candidates.findLast(({ inFlight }) => inFlight === 0) ?? candidates.at(-1) ?? null;
  }
  // The user's words alone, once more or with others added: a retry if the first did not end well, else another's.
  return candidates.findLast(({ inFlight, failed }) => inFlight === 0 && failed) ?? null;
}

function hasSameFront(one: PromptMarks | null, other: PromptMarks | null): boolean {
  return one?.system === other?.system && one?.tools === other?.tools;
}

/** The latest conversation with the messages up to `link`, where these tell conversations apart. */
function sharer(memory: ConversationMemory, { scope }: ScopedChain, link: Link): Conversation | null {
  if (link === NO_LINK || !memory.links.isAnswered(link) || memory.links.children(link) > MAX_BRANCHES) return null;
  return memory.ownerOf(link, scope);
}

/**
 * True where only the last message of the latest request is another now. Some clients add a note to it that is gone a
 * turn later, and people edit it. A request that was the only one so far is left alone: it may be the example that a
 * program puts before every question.
 */
function isEdited(memory: ConversationMemory, owner: Conversation, { hashes }: ScopedChain, shared: number): boolean {
  const before = memory.links.depth(owner.tail);
  return shared >= before - 1 && owner.inFlight === 0 && (owner.requests > 1 || hashes.length > before);
}

/**
 * By the latest answer of the model that is remembered from another place. Those among the first `shared` messages say
 * no more than that the requests begin alike.
 */
function alikeMatch(memory: ConversationMemory, chain: ScopedChain, shared: number): Match {
  let looked = 0;
  for (let index = chain.hashes.length - 1; index >= shared && looked < MAX_ANSWERS; index -= 1) {
    const hash = chain.hashes[index];
    const message = chain.chain.messages[index];
    if (hash === undefined || message?.byModel !== true) continue;
    looked += 1;
    const found = placesOf(memory, chain.scope, hash).map((place) => compareAt(memory, chain, { ...place, index }));
    const sure = found.find(({ continues }) => continues !== null);
    if (sure !== undefined) return sure;
    const isOneConversations = new Set(found.map(({ related }) => related)).size === 1;
    const isTelling = isOneConversations && message.bytes >= TELLING_BYTES;
    const likely = found.filter(({ messages }) => isTelling || messages > 1);
    if (likely.length > 0) return likely.reduce((best, next) => (next.bytes > best.bytes ? next : best));
  }
  return NO_MATCH;
}

type Place = { readonly owner: Conversation; readonly link: Link };

/** Where an answer is remembered, and by whom. */
function placesOf(memory: ConversationMemory, scope: string, hash: Hash): Place[] {
  const places: Place[] = [];
  let looked = 0;
  for (const link of memory.links.alike(hash)) {
    const owner = memory.ownerOf(link, scope);
    if (owner !== null) places.push({ owner, link });
    looked += 1;
    if (looked >= MAX_PLACES) break;
  }
  return places;
}

/** Lays the conversation beside the request so that `link` is the request's message `index`, and counts what is equal. */
function compareAt(
  memory: ConversationMemory,
  { hashes, chain }: ScopedChain,
  { owner, link, index }: Place & { readonly index: number },
): Match {
  const { links } = memory;
  const shift = index - (links.depth(link) - 1);
  let messages = 0;
  let bytes = 0;
  let unbroken = 0;
  let compared = 0;
  for (let own = owner.tail; own !== NO_LINK && compared < WINDOW; own = links.parent(own)) {
    const at = links.depth(own) - 1 + shift;
    const hash = hashes[at];
    if (hash !== undefined && links.hasHash(own, hash)) {
      if (unbroken === compared) unbroken += 1;
      messages += 1;
      bytes += chain.messages[at]?.bytes ?? 0;
    }
    compared += 1;
  }
  const goesOn = link === owner.lastAnswer && unbroken >= 2 && (unbroken >= 4 || messages * 2 >= compared);
  return { continues: goesOn ? owner : null, related: owner, messages, bytes };
}
