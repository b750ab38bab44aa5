import { Capacity } from './capacity.ts';
import type { Conversation } from './conversation.ts';
import { type LoadElsewhere, NO_LOAD_ELSEWHERE } from './types.ts';

type Test = (conversation: Conversation) => boolean;

/** One replica: the conversations that its cache is taken to hold, and what has been sent there. */
export class Residents {
  readonly capacity: Capacity;
  readonly #all = new Set<Conversation>();
  inFlight = 0;
  /** Turns sent there that have not begun to answer. */
  unanswered = 0;
  /** Tokens of the cold turns sent there that have not begun to answer. */
  computing = 0;
  elsewhere: LoadElsewhere = NO_LOAD_ELSEWHERE;
  /** As `computing`, of turns that other routers sent there. */
  computingElsewhere = 0;

  constructor(capacityTokens: number | null) {
    this.capacity = new Capacity(capacityTokens);
  }

  [Symbol.iterator](): Iterator<Conversation> {
    return this.#all.values();
  }

  /** Turns in flight there, whoever sent them. */
  get allInFlight(): number {
    return this.inFlight + this.elsewhere.inFlight;
  }

  /** Tokens that the whole cache holds. */
  get cache(): number {
    return this.capacity.tokens ?? Number.POSITIVE_INFINITY;
  }

  /** Tokens that the conversations which this router knows may keep. What was learned from its own hits is that already. */
  get limit(): number {
    return this.capacity.isLearned ? this.cache : Math.max(0, this.cache - this.elsewhere.tokens);
  }

  add(conversation: Conversation): void {
    this.#all.add(conversation);
  }

  delete(conversation: Conversation): void {
    this.#all.delete(conversation);
  }

  /** Tokens in use here since the last turn of `conversation`, its own among them. */
  tokensSince(conversation: Conversation): number {
    return this.tokens((one) => one === conversation || one.lastActiveAt >= conversation.lastActiveAt);
  }

  sum(weight: (conversation: Conversation) => number): number {
    let sum = 0;
    for (const one of this.#all) sum += weight(one);
    return sum;
  }

  count(counts: Test): number {
    let count = 0;
    for (const one of this.#all) if (counts(one)) count += 1;
    return count;
  }

  /** Tokens of those that `counts` which none of them shares: their beginnings are in the cache for other routers too. */
  unshared(counts: Test): number {
    return this.sum((one) => (counts(one) ? one.tokens - one.shared : 0));
  }

  /** Tokens of those that `counts`, and of `newcomer` beside them. A beginning that several share counts once. */
  tokens(counts: Test, newcomer: Conversation | null = null): number {
    let shared = newcomer?.shared ?? 0;
    let own = newcomer === null ? 0 : newcomer.tokens - newcomer.shared;
    for (const one of this.#all) {
      if (one === newcomer || !counts(one)) continue;
      shared = Math.max(shared, one.shared);
      own += one.tokens - one.shared;
    }
    return shared + own;
  }

  /** Forgets what the cache no longer holds: the longest unused of those that `mayGo`, until the rest fits. */
  evict(mayGo: Test): void {
    if (this.limit === Number.POSITIVE_INFINITY) return;
    let held = this.tokens(() => true);
    if (held <= this.limit) return;
    const oldestFirst = [...this.#all].filter(mayGo).sort((a, b) => a.lastActiveAt - b.lastActiveAt);
    for (const one of oldestFirst) {
      if (held <= this.limit) return;
      this.#all.delete(one);
      one.replica = null;
      held -= one.tokens - one.shared;
    }
  }
}
