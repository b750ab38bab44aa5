import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConversationIndex, createConversationIndex } from './conversation-index.ts';
import { chain, type Message, step, user } from './test-prompts.ts';

const SCOPES = ['model/one', 'model/other'] as const;

const move = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('open' as const), scope: fc.nat(1), task: fc.nat(2) }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('grow' as const), which: fc.nat(), steps: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ask' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rewrite' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('shorten' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fork' as const), which: fc.nat(), keep: fc.nat() }) },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

/** A thread of messages as its client knows it. `own`: the messages that no other thread has, from the end. */
type Thread = {
  readonly scope: string;
  messages: Message[];
  own: number;
  conversation: string | null;
  opening: string;
};

/** Plays agents that each know which conversation they are in, and compares with what the index finds. */
class Game {
  readonly index: ConversationIndex = createConversationIndex();
  readonly threads: Thread[] = [];
  #count = 0;
  #now = 0;

  play(move: Move): void {
    if (move.do === 'open') {
      this.#open(move.scope, move.task);
      return;
    }
    const thread = this.threads[move.which % this.threads.length];
    if (thread === undefined) return;
    if (move.do === 'fork') this.#fork(thread, move.keep);
    else {
      this.#change(thread, move);
      this.#send(thread, 'continues');
    }
  }

  #change(thread: Thread, move: Exclude<Move, { do: 'open' | 'fork' }>): void {
    if (move.do === 'retry') return;
    // A client changes what it sent before when it has the next thing to send.
    if (move.do === 'rewrite' && thread.own >= 4)
      thread.messages = [user(`${this.#name()} in short`), ...thread.messages.slice(1)];
    if (move.do === 'shorten' && thread.own >= 4)
      thread.messages = [user(`${this.#name()}: a summary`), ...thread.messages.slice(-4)];
    if (move.do === 'ask') this.#append(thread, [...step(this.#name()), user(`and ${this.#name()}?`)]);
    else
      for (let count = move.do === 'grow' ? move.steps : 1; count > 0; count -= 1)
        this.#append(thread, step(this.#name()));
  }

  #open(scope: number, task: number): void {
    const opening = `Do task ${task}.`;
    const thread: Thread = {
      scope: SCOPES[scope] ?? '',
      messages: [user(opening)],
      own: 1,
      conversation: null,
      opening,
    };
    this.#send(thread, 'new');
    this.threads.push(thread);
    // From here on no other conversation goes on from the very same messages.
    this.#append(thread, step(this.#name()));
    this.#send(thread, 'continues');
  }

  /** Goes on from an earlier answer, with other words of the user than what followed it. */
  #fork(parent: Thread, keep: number): void {
    const kept = 3 + 2 * (keep % parent.messages.length);
    if (kept > parent.messages.length - 3) return;
    const messages = [...parent.messages.slice(0, kept), user(`instead ${this.#name()}`)];
    const thread: Thread = { ...parent, messages, own: 1, conversation: null };
    this.#send(thread, 'forked');
    this.threads.push(thread);
  }

  #append(thread: Thread, messages: readonly Message[]): void {
    thread.messages.push(...messages);
    thread.own += messages.length;
  }

  #send(thread: Thread, expected: 'new' | 'continues' | 'forked'): void {
    this.#now += 1000;
    const request = { scope: thread.scope, chain: chain(thread.messages), marks: null, now: this.#now };
    const found = this.index.find(request);
    this.#check(thread, found, expected);
    thread.conversation = found.conversation;
    this.index.remember(request, found.conversation);
    this.index.ended(found.conversation, true);
  }

  #check(thread: Thread, found: ReturnType<ConversationIndex['find']>, expected: string): void {
    const others = this.threads.filter((other) => other !== thread).map(({ conversation }) => conversation);
    if (expected === 'continues') expect(found).toMatchObject({ kind: 'continues', conversation: thread.conversation });
    else expect(others).not.toContain(found.conversation);
    if (expected === 'new') expect(found).toMatchObject({ kind: 'new', relative: null });
    if (found.relative !== null) {
      const relative = this.threads.find(({ conversation }) => conversation === found.relative?.conversation);
      expect(relative).toMatchObject({ scope: thread.scope, opening: thread.opening });
    }
    expect(new Set(others).size).toBe(others.length);
  }

  #name(): string {
    this.#count += 1;
    return `n${this.#count}`;
  }
}

describe('whatever conversations do', () => {
  it('each stays the same one, none takes another’s place, and nothing passes between users', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
        const game = new Game();
        for (const next of moves) game.play(next);
        for (const { conversation } of game.threads) game.index.forget(conversation ?? '');
        expect(game.index.size()).toEqual({ conversations: 0, links: 0, bytes: 0 });
      }),
      { numRuns: 100 },
    );
  });

  it('memory stays within its bounds, and empties', () => {
    const request = fc.record({
      scope: fc.constantFrom(...SCOPES),
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      messages: fc.array(fc.constantFrom('p', 'q', 'r'), { maxLength: 12 }),
      isByModel: fc.boolean(),
      now: fc.nat(1000),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (requests, maxLinks) => {
        const index = createConversationIndex({ maxConversations: 4, maxLinks });
        for (const { scope, id, messages, isByModel, now } of requests) {
          const role = isByModel ? 'assistant' : 'user';
          const sent = chain(messages.map((content) => ({ role, content: content.repeat(100) })));
          const wanted = { scope, chain: sent, marks: null, now };
          index.find(wanted);
          index.remember(wanted, id);
          expect(index.size().links).toBeLessThanOrEqual(maxLinks);
          expect(index.size().conversations).toBeLessThanOrEqual(4);
          expect(index.find(wanted).matchedMessages).toBeLessThanOrEqual(messages.length);
        }
        for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) index.forget(id);
        expect(index.size()).toEqual({ conversations: 0, links: 0, bytes: 0 });
      }),
      { numRuns: 150 },
    );
  });
});
