import { type ChainRequest, ConversationMemory, type ScopedChain, scoped } from './conversation-memory.ts';
import { follow, hexOf } from './hash.ts';
import { BYTES_PER_LINK } from './link-table.ts';
import { matchChain } from './match-chain.ts';
import type { PromptChange, PromptMarks } from './prompt-change.ts';

/** Another conversation that shares `bytes` of this one's messages: its replica has them in its cache. */
export type Relative = { readonly conversation: string; readonly bytes: number };

/**
 * `conversation` stays the same for as long as it is remembered. `forked`: a conversation of its own that shares a part
 * with `relative`, as a fork, a step back over several turns or a compaction does.
 */
export type FoundConversation = {
  readonly conversation: string;
  readonly kind: 'continues' | 'forked' | 'new';
  readonly matchedMessages: number;
  readonly matchedBytes: number;
  readonly relative: Relative | null;
};

/** Finds the conversation of a request by its messages. Times are ms on a clock that does not run backwards. */
export type ConversationIndex = {
  /** For a request without an id. Changes nothing but the counter that new names are made of. */
  find(request: ChainRequest): FoundConversation;
  /** For a request with an id that is seen for the first time: the conversation whose beginning it shares, or null. */
  relativeOf(request: ChainRequest, conversation: string): Relative | null;
  /**
   * The request has got its place: it is now the latest one of `conversation`, a name that `find` gave or the caller's
   * own. Returns what is different from its request before; null where there was none. To be followed by `ended`.
   */
  remember(request: ChainRequest, conversation: string): PromptChange | null;
  /** A request of the conversation is over. `answered`: the client has the whole answer. */
  ended(conversation: string, answered: boolean): void;
  forget(conversation: string): boolean;
  /** `bytes` is what the links take; each conversation takes about 0.7 KB beside them. */
  size(): { readonly conversations: number; readonly links: number; readonly bytes: number };
};

/** `maxLinks`: messages remembered over all conversations, those of a common beginning once. */
export type ConversationIndexOptions = { readonly maxConversations?: number; readonly maxLinks?: number };

/** An index of at most 10,000 conversations and 1,000,000 messages (60 MB when full), the least recently used forgotten first. */
export function createConversationIndex(options: ConversationIndexOptions = {}): ConversationIndex {
  return new ChainIndex(options.maxConversations ?? 10_000, options.maxLinks ?? 1_000_000);
}

class ChainIndex implements ConversationIndex {
  readonly #memory: ConversationMemory;
  #named = 0;

  constructor(maxConversations: number, maxLinks: number) {
    this.#memory = new ConversationMemory(maxConversations, maxLinks);
  }

  find(wanted: ChainRequest): FoundConversation {
    const request = scoped(wanted);
    const match = matchChain(this.#memory, request);
    const matches = { matchedMessages: match.messages, matchedBytes: match.bytes };
    if (match.continues !== null) {
      return { conversation: match.continues.id, kind: 'continues', ...matches, relative: null };
    }
    const conversation = this.#newName(request);
    if (match.related === null) return { conversation, kind: 'new', ...matches, relative: null };
    const relative = { conversation: match.related.id, bytes: match.bytes };
    return { conversation, kind: 'forked', ...matches, relative };
  }

  relativeOf(request: ChainRequest, conversation: string): Relative | null {
    if (this.#memory.get(conversation) !== null) return null;
    const { continues, related, bytes } = matchChain(this.#memory, scoped(request));
    const relative = continues ?? related;
    return relative === null ? null : { conversation: relative.id, bytes };
  }

  remember(latest: ChainRequest, id: string): PromptChange | null {
    const request = scoped(latest);
    const change = this.#changeOf(id, request);
    const conversation = this.#memory.put(id, request, latest.now);
    conversation.inFlight += 1;
    conversation.failed = false;
    conversation.marks = latest.marks;
    conversation.systemEntries = latest.chain.systemEntries;
    return change;
  }

  ended(id: string, answered: boolean): void {
    const conversation = this.#memory.get(id);
    if (conversation === null) return;
    conversation.inFlight = Math.max(0, conversation.inFlight - 1);
    conversation.failed = !answered;
  }

  forget(id: string): boolean {
    return this.#memory.forget(id);
  }

  size(): { conversations: number; links: number; bytes: number } {
    const { size: conversations, links } = this.#memory;
    return { conversations, links: links.size, bytes: links.size * BYTES_PER_LINK };
  }

  #changeOf(id: string, request: ScopedChain): PromptChange | null {
    const before = this.#memory.get(id);
    if (before === null || before.scope !== request.scope) return null;
    const { marks } = request;
    const { messages, systemEntries } = request.chain;
    const shared = this.#memory.sharedMessages(before, request);
    const messagesBefore = this.#memory.links.depth(before.tail);
    const differs = (part: keyof PromptMarks): boolean =>
      marks !== null && before.marks !== null && marks[part] !== before.marks[part];
    return {
      changedAt: shared === messagesBefore ? null : (messages[shared]?.position ?? messages.length),
      messagesBefore,
      messagesNow: messages.length,
      system: differs('system'),
      tools: differs('tools'),
      firstBlock: differs('firstBlock'),
      systemEntriesAdded: Math.max(0, systemEntries - before.systemEntries),
    };
  }

  /** From the messages it begins with, and a counter, as many conversations begin alike. */
  #newName({ hashes }: ScopedChain): string {
    const name = { a: 0, b: 0 };
    for (const hash of hashes) follow(name, hash);
    this.#named += 1;
    return hexOf(name) + this.#named.toString(16).padStart(8, '0');
  }
}
