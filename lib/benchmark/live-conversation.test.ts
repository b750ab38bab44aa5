import { describe, expect, it } from 'vitest';
import type { SessionScript, TurnScript } from '#lib/experiment/session-script.ts';
import { LiveConversation, type LiveTurn } from './live-conversation.ts';

const turn = (given: Partial<TurnScript> & Pick<TurnScript, 'input'>): TurnScript => ({
  thinkMs: 0,
  keepTokens: null,
  outputTokens: 10,
  subagents: [],
  ...given,
});

const SCRIPT: SessionScript = {
  key: '1.0',
  turns: [
    turn({
      input: [
        { content: 'system', tokens: 20 },
        { content: '1.0:0', tokens: 30 },
      ],
    }),
    turn({ input: [{ content: '1.0:1', tokens: 5 }] }),
  ],
};

function play(script: SessionScript, salt: string, answer = 'an answer'): LiveTurn[] {
  const conversation = new LiveConversation(script, salt);
  const turns: LiveTurn[] = [];
  while (conversation.upcoming !== null) {
    turns.push(conversation.begin());
    conversation.answered(answer);
  }
  return turns;
}

describe('a conversation as text', () => {
  it('has four characters a token, the system prompt apart, and the answers in its history', () => {
    const [first, second] = play(SCRIPT, 'a');
    expect(first?.system).toHaveLength(80);
    expect(first?.messages.map(({ role, content }) => [role, content.length])).toEqual([['user', 120]]);
    expect(first).toMatchObject({ turn: 0, maxTokens: 10, promptTokens: 50 });
    expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(second?.messages[0]).toEqual(first?.messages[0]);
    expect(second?.messages[1]?.content).toBe('an answer');
    expect(second).toMatchObject({ turn: 1, promptTokens: 65 });
  });

  it('is the same for the same salt, and another one from its first words for another', () => {
    expect(play(SCRIPT, 'a')).toEqual(play(SCRIPT, 'a'));
    const [one] = play(SCRIPT, 'a');
    const [other] = play(SCRIPT, 'b');
    expect(one?.system.slice(0, 64)).not.toBe(other?.system.slice(0, 64));
  });

  it('shares its system prompt with the other conversations of its salt, and nothing else', () => {
    const [one] = play(SCRIPT, 'a');
    const first = turn({
      input: [
        { content: 'system', tokens: 20 },
        { content: '1.1:0', tokens: 30 },
      ],
    });
    const [other] = play({ key: '1.1', turns: [first] }, 'a');
    expect(one?.system).toBe(other?.system);
    expect(one?.messages).not.toEqual(other?.messages);
  });

  it('keeps the beginning of a history that is cut, and lets roles alternate', () => {
    const cut = (keepTokens: number) =>
      play(
        {
          key: '1.0',
          turns: [...SCRIPT.turns.slice(0, 1), turn({ keepTokens, input: [{ content: 'new', tokens: 5 }] })],
        },
        'a',
      );
    const [before, inMessage] = cut(20 + 12);
    expect(inMessage?.messages.map(({ role }) => role)).toEqual(['user']);
    expect(inMessage?.messages[0]?.content.slice(0, 48)).toBe(before?.messages[0]?.content.slice(0, 48));
    expect(inMessage?.messages[0]?.content).toHaveLength(48 + 20);
    const [, inAnswer] = cut(20 + 30 + 1);
    expect(inAnswer?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(inAnswer?.messages[1]?.content).toBe('an a');
    expect(inAnswer?.promptTokens).toBe(56);
  });

  it('puts something in the place of an empty answer', () => {
    const [, second] = play(SCRIPT, 'a', '');
    expect(second?.messages[1]?.content).not.toBe('');
  });
});
