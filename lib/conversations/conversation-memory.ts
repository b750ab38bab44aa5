import { RecencyList } from '#lib/routing/recency-list.ts';
import { type Hash, hashText } from './hash.ts';
import { type Link, LinkTable, NO_LINK } from './link-table.ts';
import type { MessageChain } from './message-chain.ts';
import type { PromptMarks } from './prompt-change.ts';

/** A remembered conversation. Times are ms. */
export type Conversation = {
  readonly id: string;
  readonly scope: string;
  readonly slot: number;
  /** The last message of its latest request, and the last one by the model in that request. */
  tail: Link;
  lastAnswer: Link;
  /** Requests that differed from the one before. */
  requests: number;
  inFlight: number;
  /** Its latest request ended without a whole answer: the same request may come again. */
  failed: boolean;
  lastUsedAt: number;
  marks: PromptMarks | null;
  systemEntries: number;
  older: Conversation | null;
  newer: Conversation | null;
};

/** A request's messages as the memory knows them: hashes that are the same in one scope only. */
export type ScopedChain = {
  readonly scope: string;
  readonly hashes: readonly Hash[];
  readonly chain: MessageChain;
  readonly marks: PromptMarks | null;
};

/** A request to be looked for. `scope`: the model and the client's key, beyond which nothing is found; opaque. */
export type ChainRequest = {
  readonly scope: string;
  readonly chain: MessageChain;
  /** Null where they were not read: then no changes of system prompt and tools are seen. */
  readonly marks: PromptMarks | null;
  readonly now: number;
};

/** Marks a chain's hashes with the scope: the same message of another user or for another model is another message. */
export function scoped({ scope, chain, marks }: ChainRequest): ScopedChain {
  const seed = hashText(scope);
  const hashes = chain.messages.map(({ a, b }) => ({ a: a ^ seed.a, b: b ^ seed.b }));
  return { scope, hashes, chain, marks };
}

/** The next morning a conversation may go on, if hardly with anything left in a cache. */
const FORGET_AFTER_MS = 24 * 3_600_000;

/** Remembered conversations and the links they consist of. The least recently used go first where there is no room. */
export class ConversationMemory {
  readonly links: LinkTable;
  /** Of a longer conversation only the beginning is remembered. */
  readonly maxMessages: number;
  readonly #maxConversations: number;
  readonly #byId = new Map<string, Conversation>();
  readonly #byTail = new Map<Link, Conversation[]>();
  readonly #slots: (Conversation | null)[] = [];
  readonly #freeSlots: number[] = [];
  readonly #recency = new RecencyList<Conversation>();

  constructor(maxConversations: number, maxLinks: number) {
    this.#maxConversations = maxConversations;
    this.links = new LinkTable(maxLinks);
    this.maxMessages = Math.max(1, Math.floor(maxLinks / 4));
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Conversation | null {
    return this.#byId.get(id) ?? null;
  }

  /** The conversations whose latest request ended in this message, the most recently used last. */
  endingIn(link: Link): readonly Conversation[] {
    return this.#byTail.get(link) ?? [];
  }

  /** The conversation that came by this link last; null where none is known, or it is none of this scope. */
  ownerOf(link: Link, scope: string): Conversation | null {
    const owner = this.#slots[this.links.owner(link)] ?? null;
    return owner !== null && owner.scope === scope ? owner : null;
  }

  /** The number of messages that a chain begins with exactly as the conversation's latest request did. */
  sharedMessages(conversation: Conversation, { hashes }: ScopedChain): number {
    let shared = 0;
    let depth = this.links.depth(conversation.tail);
    for (let link = conversation.tail; link !== NO_LINK; link = this.links.parent(link)) {
      depth -= 1;
      const hash = hashes[depth];
      // Counted from the end: whatever was equal behind a difference is no common beginning.
      shared = hash !== undefined && this.links.hasHash(link, hash) ? shared + 1 : 0;
    }
    return shared;
  }

  /** Makes the request the latest one of the conversation with this id, which may be new. */
  put(id: string, chain: ScopedChain, now: number): Conversation {
    this.#expire(now);
    const known = this.#byId.get(id) ?? null;
    if (known !== null && known.scope !== chain.scope) this.forget(id);
    const conversation = this.#byId.get(id) ?? this.#add(id, chain.scope);
    this.#recency.remove(conversation);
    this.#recency.add(conversation);
    conversation.lastUsedAt = now;
    const { hashes } = chain;
    this.#makeRoom(Math.min(hashes.length, this.maxMessages), conversation);
    this.#moveTo(conversation, chain);
    return conversation;
  }

  forget(id: string): boolean {
    const conversation = this.#byId.get(id);
    if (conversation === undefined) return false;
    this.#disown(conversation);
    this.#leaveTail(conversation);
    this.#recency.remove(conversation);
    this.#slots[conversation.slot] = null;
    this.#freeSlots.push(conversation.slot);
    this.#byId.delete(id);
    return true;
  }

  #add(id: string, scope: string): Conversation {
    const slot = this.#freeSlots.pop() ?? this.#slots.length;
    const conversation: Conversation = {
      id,
      scope,
      slot,
      tail: NO_LINK,
      lastAnswer: NO_LINK,
      requests: 0,
      inFlight: 0,
      failed: false,
      lastUsedAt: 0,
      marks: null,
      systemEntries: 0,
      older: null,
      newer: null,
    };
    this.#slots[slot] = conversation;
    this.#byId.set(id, conversation);
    this.#recency.add(conversation);
    return conversation;
  }

  #expire(now: number): void {
    for (let oldest = this.#recency.oldest; oldest !== null; oldest = this.#recency.oldest) {
      if (now - oldest.lastUsedAt < FORGET_AFTER_MS) return;
      this.forget(oldest.id);
    }
  }

  #makeRoom(links: number, except: Conversation): void {
    while (this.#byId.size > this.#maxConversations || this.links.free < links) {
      const oldest = this.#recency.oldest;
      if (oldest === null || oldest === except) return;
      this.forget(oldest.id);
    }
  }

  /** The new path is entered before the old one is left, so that what they share stays. */
  #moveTo(conversation: Conversation, { hashes, chain }: ScopedChain): void {
    const { links } = this;
    this.#disown(conversation);
    let tail: Link = NO_LINK;
    let lastAnswer: Link = NO_LINK;
    for (const [index, hash] of hashes.entries()) {
      const message = chain.messages[index];
      if (message === undefined || index >= this.maxMessages) break;
      let link = links.child(tail, hash);
      if (link === NO_LINK) {
        if (links.free === 0) break;
        link = links.add(tail, hash, message);
      }
      links.setOwner(link, conversation.slot);
      tail = link;
      if (message.byModel) lastAnswer = link;
    }
    if (tail !== NO_LINK) links.hold(tail);
    const before = conversation.tail;
    this.#leaveTail(conversation);
    if (before !== tail) conversation.requests += 1;
    conversation.tail = tail;
    conversation.lastAnswer = lastAnswer;
    if (tail === NO_LINK) return;
    const ending = this.#byTail.get(tail);
    if (ending === undefined) this.#byTail.set(tail, [conversation]);
    else ending.push(conversation);
  }

  #disown(conversation: Conversation): void {
    for (let link = conversation.tail; link !== NO_LINK; link = this.links.parent(link)) {
      if (this.links.owner(link) === conversation.slot) this.links.setOwner(link, NO_LINK);
    }
  }

  #leaveTail(conversation: Conversation): void {
    const { tail } = conversation;
    if (tail === NO_LINK) return;
    const ending = this.#byTail.get(tail) ?? [];
    if (ending.length <= 1) this.#byTail.delete(tail);
    else ending.splice(ending.indexOf(conversation), 1);
    this.links.release(tail);
    conversation.tail = NO_LINK;
  }
}
