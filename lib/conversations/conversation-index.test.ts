import { describe, expect, it } from 'vitest';
import { type ConversationIndex, createConversationIndex, type FoundConversation } from './conversation-index.ts';
import type { PromptMarks } from './prompt-change.ts';
import { chain, type Message, step, user } from './test-prompts.ts';

type Options = {
  readonly scope?: string;
  readonly marks?: PromptMarks;
  readonly now?: number;
  readonly answered?: boolean | null;
};

/** A request that gets its place, and its answer unless `answered` says otherwise (null: it still runs). */
function play(index: ConversationIndex, messages: readonly Message[], options: Options = {}): FoundConversation {
  const { scope = 'model/client', marks = null, now = 0, answered = true } = options;
  const request = { scope, chain: chain(messages), marks, now };
  const found = index.find(request);
  index.remember(request, found.conversation);
  if (answered !== null) index.ended(found.conversation, answered);
  return found;
}

const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map(step);
const steps = (...parts: (Message[] | undefined)[]): Message[] => parts.flatMap((part) => part ?? []);
const TASK = user('Fix the failing test in the parser, please.');

describe('a conversation that grows', () => {
  it('is the same one from turn to turn, by whatever it grows', () => {
    const index = createConversationIndex();
    const first = play(index, [TASK]);
    expect(first).toMatchObject({ kind: 'new', matchedMessages: 0, matchedBytes: 0, relative: null });
    const { conversation } = first;
    expect(play(index, [TASK, ...steps(A)])).toMatchObject({ kind: 'continues', conversation, matchedMessages: 1 });
    const third = play(index, [TASK, ...steps(A, B, C)]);
    expect(third).toMatchObject({ kind: 'continues', conversation, matchedMessages: 3 });
    expect(third.matchedBytes).toBe(JSON.stringify([TASK, ...steps(A)]).length - '[,,]'.length);
    expect(play(index, [TASK, ...steps(A, B, C), user('And now?')])).toMatchObject({ kind: 'continues', conversation });
    expect(index.size().conversations).toBe(1);
  });

  it('is resumed by another process, and retried, as itself', () => {
    const index = createConversationIndex();
    const { conversation } = play(index, [TASK, ...steps(A)], { answered: false });
    expect(play(index, [TASK, ...steps(A)])).toMatchObject({ kind: 'continues', conversation });
    expect(play(index, [TASK, ...steps(A)], { now: 3_600_000 })).toMatchObject({ kind: 'continues', conversation });
  });

  it('is the same one when only its last message is another: a note in it is gone, or it was edited', () => {
    const index = createConversationIndex();
    const { conversation } = play(index, [TASK]);
    play(index, [TASK, ...steps(A), user('next <note>12 tokens left</note>')]);
    const later = play(index, [TASK, ...steps(A), user('next'), ...steps(B), user('go on <note>8 left</note>')]);
    expect(later).toMatchObject({ kind: 'continues', conversation, matchedMessages: 3 });
  });
});

describe('requests that begin alike', () => {
  it('of two users are two conversations', () => {
    const index = createConversationIndex();
    const one = play(index, [user('hi')], { scope: 'model/one' });
    const other = play(index, [user('hi')], { scope: 'model/other' });
    expect(other).toMatchObject({ kind: 'new', relative: null });
    expect(other.conversation).not.toBe(one.conversation);
    const later = [user('hi'), ...steps(A)];
    expect(play(index, later, { scope: 'model/one' }).conversation).toBe(one.conversation);
    expect(play(index, later, { scope: 'model/other' }).conversation).toBe(other.conversation);
    expect(play(index, later, { scope: 'other model/one' })).toMatchObject({ kind: 'new', relative: null });
  });

  it('of one user are two conversations as well, and each goes on by itself', () => {
    const index = createConversationIndex();
    const parallel = [play(index, [TASK], { answered: null }), play(index, [TASK], { answered: null })];
    expect(parallel.map(({ kind }) => kind)).toEqual(['new', 'new']);
    for (const { conversation } of parallel) index.ended(conversation, true);
    const [one, other] = [play(index, [TASK, ...steps(A)]), play(index, [TASK, ...steps(B)])];
    expect([one, other]).toMatchObject([{ kind: 'continues' }, { kind: 'continues' }]);
    expect(new Set([one.conversation, other.conversation])).toEqual(new Set(parallel.map((p) => p.conversation)));
    expect(play(index, [TASK, ...steps(A, C)]).conversation).toBe(one.conversation);
    expect(play(index, [TASK, ...steps(B, C)]).conversation).toBe(other.conversation);
    expect(play(index, [TASK])).toMatchObject({ kind: 'new', relative: null });
  });

  it('of two clients under one key are told apart by their system prompts', () => {
    const index = createConversationIndex();
    const clients = ['one', 'other'].map((system) => ({ marks: { system, tools: 't', firstBlock: null } }));
    const first = clients.map((client) => play(index, [TASK], client).conversation);
    const second = clients.map((client, at) => play(index, [TASK, ...step(`s${at}`)], client).conversation);
    expect(second).toEqual(first);
    const changed = { marks: { system: 'with the time of day', tools: 't', firstBlock: null } };
    expect(play(index, [TASK, ...steps(['s0'].flatMap(step), A)], changed).conversation).toBe(first[0]);
  });

  it('are one conversation where the first failed: it is tried again', () => {
    const index = createConversationIndex();
    const { conversation } = play(index, [TASK], { answered: false });
    expect(play(index, [TASK])).toMatchObject({ kind: 'continues', conversation });
    play(index, [user('stop')], { answered: false });
    expect(play(index, [user('stop'), user('and do this')])).toMatchObject({ kind: 'continues', matchedMessages: 1 });
  });

  it('with a preamble of the client share nothing', () => {
    const index = createConversationIndex();
    const preamble = user('<environment>the same for all in this directory</environment>');
    const one = play(index, [preamble, user('one task')]);
    const other = play(index, [preamble, user('another task')]);
    expect(other).toMatchObject({ kind: 'new', matchedMessages: 0, relative: null });
    expect(play(index, [preamble, user('one task'), ...steps(A)]).conversation).toBe(one.conversation);
  });

  it('with examples of a program are conversations of their own, and soon not even related', () => {
    const index = createConversationIndex();
    const examples = [
      user('1 + 1'),
      { role: 'assistant', content: '2' },
      user('2 + 2'),
      { role: 'assistant', content: '4' },
    ];
    const found = Array.from({ length: 12 }, (_, task) => play(index, [...examples, user(`task ${task}`)]));
    expect(new Set(found.map(({ conversation }) => conversation)).size).toBe(12);
    expect(found.at(-1)).toMatchObject({ kind: 'new', relative: null });
  });
});

describe('a conversation that shares a beginning with another', () => {
  it('is its own, and says whose prefix it shares and how much of it', () => {
    const index = createConversationIndex();
    play(index, [user('something else'), ...steps(D)]);
    const { conversation } = play(index, [TASK, ...steps(A, B, C)]);
    const fork = play(index, [TASK, ...steps(A, B), user('No, do it otherwise.')]);
    const bytes = JSON.stringify([TASK, ...steps(A, B)]).length - '[,,,,]'.length;
    expect(fork).toMatchObject({ kind: 'forked', matchedMessages: 5, relative: { conversation, bytes } });
    expect(fork.conversation).not.toBe(conversation);
    expect(play(index, [TASK, ...steps(A, B, C, D)])).toMatchObject({ kind: 'continues', conversation });
    const further = play(index, [TASK, ...steps(A, B), user('No, do it otherwise.'), ...steps(E)]);
    expect(further).toMatchObject({ kind: 'continues', conversation: fork.conversation });
  });

  it('is its own while the other one’s request still runs, even where only the last message differs', () => {
    const index = createConversationIndex();
    const { conversation } = play(index, [TASK, ...steps(A)]);
    play(index, [TASK, ...steps(A), user('one way')], { answered: null });
    const other = play(index, [TASK, ...steps(A), user('another way')]);
    expect(other).toMatchObject({ kind: 'forked', relative: { conversation } });
  });

  it('is related to one that still has this beginning, whoever else has come by', () => {
    const index = createConversationIndex();
    const one = play(index, [TASK, ...steps(A, B, C)]);
    const fork = play(index, [TASK, ...steps(A, B), user('otherwise'), ...steps(D, E)]);
    play(index, [TASK, ...steps(A, B, C)], { scope: 'model/other' });
    const further = [TASK, ...steps(A, B), user('yet otherwise')];
    expect(index.find({ scope: 'model/client', chain: chain(further), marks: null, now: 0 }).relative).toMatchObject({
      conversation: fork.conversation,
    });
    expect(play(index, [user('Summary'), ...steps(D, E), user('go on')]).conversation).toBe(fork.conversation);
    play(index, [TASK, ...steps(A, B, C), ...step('f')]);
    expect(play(index, further).relative).toMatchObject({ conversation: one.conversation });
  });

  it('is told for a conversation that has an id of its own', () => {
    const index = createConversationIndex();
    const request = (messages: Message[]) => ({ scope: 's', chain: chain(messages), marks: null, now: 0 });
    index.remember(request([TASK, ...steps(A, B)]), 'session-1');
    const fork = request([TASK, ...steps(A, B), user('in a new session')]);
    expect(index.relativeOf(fork, 'session-2')).toMatchObject({ conversation: 'session-1' });
    expect(index.relativeOf(fork, 'session-1')).toBeNull();
    expect(index.relativeOf(request([user('new')]), 'session-2')).toBeNull();
    expect(index.relativeOf({ ...fork, scope: 'other' }, 'session-2')).toBeNull();
    index.remember(fork, 'session-2');
    expect(index.relativeOf(fork, 'session-2')).toBeNull();
  });
});

describe('a conversation whose beginning changed', () => {
  it('is known by its later messages: Qwen Code drops a reminder from the first one when it goes on', () => {
    const index = createConversationIndex();
    const withReminder = { role: 'user', content: '<reminder>Today is Monday.</reminder> Fix the test.' };
    const { conversation } = play(index, [withReminder]);
    play(index, [withReminder, ...steps(A)]);
    const resumed = play(index, [user('Fix the test.'), ...steps(A, B), user('And now?')]);
    expect(resumed).toMatchObject({ kind: 'continues', conversation, matchedMessages: 2 });
    const next = play(index, [user('Fix the test.'), ...steps(A, B), user('And now?'), ...steps(C)]);
    expect(next).toMatchObject({ kind: 'continues', conversation, matchedMessages: 6 });
  });

  it('is known where the middle was cut out, a summary put in, or old results cleared', () => {
    const long = [TASK, ...steps(A, B, C, D)];
    const cleared = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_a', content: '[cleared]' }] };
    const shortened: Message[][] = [
      [TASK, ...steps(C, D, E)],
      [user('Summary: two files read.'), ...steps(C, D), user('go on')],
      [TASK, ...steps(A).slice(0, 1), cleared, ...steps(B, C, D, E)],
    ];
    for (const messages of shortened) {
      const index = createConversationIndex();
      const { conversation } = play(index, long);
      expect(play(index, messages)).toMatchObject({ kind: 'continues', conversation });
    }
  });

  it('is only related to the other by a single answer, and not at all by one that anybody could have given', () => {
    const index = createConversationIndex();
    const answer = (content: string): Message => ({ role: 'assistant', content });
    const telling = answer('The parser skipped the last token because of an off-by-one error in its loop.');
    const { conversation } = play(index, [TASK, telling, user('Thanks, now summarise.')]);
    const compacted = play(index, [user('Summary of what was said.'), telling, user('Write a test for it.')]);
    expect(compacted).toMatchObject({ kind: 'forked', relative: { conversation } });
    play(index, [user('one'), answer('Done.'), user('two')]);
    expect(play(index, [user('three'), answer('Done.'), user('four')])).toMatchObject({ kind: 'new', relative: null });
  });
});

describe('what changed since the turn before', () => {
  const marks = { system: 's', tools: 't', firstBlock: null };
  const remember = (index: ConversationIndex, messages: Message[], next = marks) =>
    index.remember({ scope: 's', chain: chain(messages), marks: next, now: 0 }, 'a');

  it('is nothing where the conversation only grew, and unknown at first', () => {
    const index = createConversationIndex();
    expect(remember(index, [TASK])).toBeNull();
    expect(remember(index, [TASK, ...steps(A)])).toEqual({
      changedAt: null,
      messagesBefore: 1,
      messagesNow: 3,
      system: false,
      tools: false,
      firstBlock: false,
      systemEntriesAdded: 0,
    });
  });

  it('is told with the place of the first other message in the request’s own list', () => {
    const index = createConversationIndex();
    const system = { role: 'system', content: 'context' };
    remember(index, [TASK, system, ...steps(A, B)]);
    expect(remember(index, [TASK, system, ...steps(A, C), system])).toMatchObject({
      changedAt: 4,
      systemEntriesAdded: 1,
    });
    expect(remember(index, [user('Summary'), ...steps(C)])).toMatchObject({
      changedAt: 0,
      messagesBefore: 5,
      messagesNow: 3,
    });
    expect(remember(index, [user('Summary')])).toMatchObject({ changedAt: 1, systemEntriesAdded: 0 });
  });

  it('names the parts in front of the messages', () => {
    const index = createConversationIndex();
    remember(index, [TASK]);
    expect(remember(index, [TASK, ...steps(A)], { ...marks, tools: 'u' })).toMatchObject({
      system: false,
      tools: true,
    });
    expect(remember(index, [TASK, ...steps(A)], { ...marks, system: 'x', tools: 'u' })).toMatchObject({ system: true });
  });
});

describe('memory', () => {
  it('keeps the most recently used conversations, and nothing of those it forgot', () => {
    const index = createConversationIndex({ maxConversations: 2, maxLinks: 1000 });
    const [first, second] = [play(index, [user('one'), ...steps(A)]), play(index, [user('two'), ...steps(B)])];
    play(index, [user('one'), ...steps(A, C)]);
    play(index, [user('three'), ...steps(D)]);
    expect(index.size()).toMatchObject({ conversations: 2, links: 8 });
    expect(play(index, [user('one'), ...steps(A, C)]).conversation).toBe(first.conversation);
    expect(play(index, [user('two'), ...steps(B)]).conversation).not.toBe(second.conversation);
  });

  it('forgets conversations where their messages are too many', () => {
    const index = createConversationIndex({ maxLinks: 20 });
    for (const name of ['f', 'g', 'h', 'i', 'j', 'k', 'l', 'm']) {
      play(index, [user(name), ...step(name)]);
      expect(index.size().links).toBeLessThanOrEqual(20);
    }
    expect(index.size().conversations).toBe(6);
  });

  it('remembers only the beginning of a conversation that is too long, and goes on finding it', () => {
    const index = createConversationIndex({ maxLinks: 16 });
    const { conversation } = play(index, [TASK, ...steps(A, B, C)]);
    expect(index.size().links).toBe(4);
    expect(play(index, [TASK, ...steps(A, B, C, D)])).toMatchObject({ kind: 'continues', conversation });
  });

  it('holds what conversations share once, and lets go of all of it with the last', () => {
    const index = createConversationIndex();
    const one = play(index, [TASK, ...steps(A, B, C)]);
    const fork = play(index, [TASK, ...steps(A, B), user('otherwise'), ...steps(D)]);
    expect(index.size().links).toBe(10);
    expect(index.forget(one.conversation)).toBe(true);
    expect(index.forget(one.conversation)).toBe(false);
    expect(index.size()).toMatchObject({ conversations: 1, links: 8 });
    const again = play(index, [TASK, ...steps(A, B), user('again otherwise')]);
    expect(again.relative?.conversation).toBe(fork.conversation);
    for (const { conversation } of [fork, again]) index.forget(conversation);
    expect(index.size()).toEqual({ conversations: 0, links: 0, bytes: 0 });
  });

  it('forgets a conversation after a day', () => {
    const index = createConversationIndex();
    const day = 86_400_000;
    play(index, [user('old')], { now: 0 });
    play(index, [user('new')], { now: day });
    expect(index.size().conversations).toBe(1);
  });
});
