import { type Conversation, isHeld, isUnderWay, newConversation } from './conversation.ts';

/** The conversations of one model, at most about `limit`; the longest unused is forgotten first. */
export class ConversationTable {
  readonly #limit: number;
  readonly #all = new Map<string, Conversation>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  [Symbol.iterator](): Iterator<Conversation> {
    return this.#all.values();
  }

  /** The conversation of this key, made where there is none, as the most recently used. */
  use(key: string, kind: string, now: number): Conversation {
    const conversation = this.#all.get(key) ?? newConversation(key, kind, now);
    this.#all.delete(key);
    this.#all.set(key, conversation);
    return conversation;
  }

  /** Takes out one that is too many and has nothing under way, here or elsewhere; null where there is none. */
  forgetOldest(now: number): Conversation | null {
    if (this.#all.size <= this.#limit) return null;
    for (const one of this.#all.values()) {
      if (isUnderWay(one, now) || isHeld(one, now)) continue;
      this.#all.delete(one.key);
      return one;
    }
    return null;
  }
}
