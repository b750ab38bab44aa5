import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeAnswer } from './answer.ts';
import { canonicalJson, encodeChat, type PromptMessage } from './chat-template.ts';
import { createRandom } from './random.ts';
import { decodeTokens, textTokens } from './tokenizer.ts';

const text = (role: string, content: string): PromptMessage => ({ role, parts: [{ kind: 'text', text: content }] });

describe('text tokens', () => {
  it('has one token for every four characters', () => {
    expect(textTokens('a'.repeat(40))).toHaveLength(10);
    expect(textTokens('a'.repeat(41))).toHaveLength(11);
    expect(textTokens('')).toHaveLength(0);
  });

  it('decodes ASCII to what it was and marks anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abc XYZ09_{}"\n\t~') }), (ascii) => {
        expect(decodeTokens(textTokens(ascii))).toBe(ascii);
      }),
    );
    expect(decodeTokens(textTokens('naïve ok'))).toBe('\ufffde ok');
  });

  it('tells texts apart, in any script', () => {
    const pieces = ['the ', 'The ', 'äöü', 'äöu', '你好', '好你', '😀', '😁', 'a', 'ab', 'ba'];
    expect(new Set(pieces.map((piece) => textTokens(piece)[0])).size).toBe(pieces.length);
  });
});

describe('chat template', () => {
  it('encodes a longer conversation to ids that begin with the shorter one’s', () => {
    const message = fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'system'), content: fc.string() });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), fc.array(message), (shorter, more) => {
        const encode = (all: { role: string; content: string }[]) =>
          encodeChat(
            all.map((entry) => text(entry.role, entry.content)),
            '[]',
          );
        const short = encode(shorter);
        const long = encode([...shorter, { role: 'assistant', content: 'x' }, ...more]);
        expect(long.slice(0, short.length)).toEqual(short);
      }),
    );
  });

  it('encodes a generated text, sent back as the last turn, to the ids that were generated', () => {
    for (let seed = 0; seed < 50; seed++) {
      const limits = { calls: [], maxTokens: 500, minTokens: 0, ignoreEos: seed % 2 === 0 };
      const answer = composeAnswer(limits, createRandom(seed));
      const shown = answer.emissions.map((emission) => (emission?.kind === 'text' ? emission.text : '')).join('');
      const prompt = encodeChat([text('user', 'hi')], null);
      const next = encodeChat([text('user', 'hi'), text('assistant', shown), text('user', 'go on')], null);
      expect(next.slice(0, prompt.length + answer.tokens.length)).toEqual(
        Uint32Array.from([...prompt, ...answer.tokens]),
      );
    }
  });

  it('encodes generated tool calls, sent back re-serialised, to the ids that were generated', () => {
    const calls = [
      { name: 'Bash', input: '{"command":"ls -la","count":2}' },
      { name: 'Read', input: '{}' },
    ];
    const answer = composeAnswer({ calls, maxTokens: 500, minTokens: 0, ignoreEos: false }, createRandom(1));
    const parts = calls.map(({ name, input }) => ({
      kind: 'tool_call' as const,
      name,
      input: canonicalJson(JSON.stringify(JSON.parse(input), null, 2)),
    }));
    const prompt = encodeChat([text('user', 'hi')], '[]');
    const next = encodeChat([text('user', 'hi'), { role: 'assistant', parts }], '[]');
    expect(next.slice(0, prompt.length + answer.tokens.length)).toEqual(
      Uint32Array.from([...prompt, ...answer.tokens]),
    );
  });

  it('changes every id after the tools when they change, and gives an image tokens of its own', () => {
    const messages = [text('user', 'hello')];
    expect(encodeChat(messages, '[1]')[1]).not.toBe(encodeChat(messages, '[2]')[1]);
    const image = (source: string): PromptMessage => ({ role: 'user', parts: [{ kind: 'image', source }] });
    expect(encodeChat([image('abc')], null)).toHaveLength(encodeChat([image('abcdef')], null).length);
    expect(encodeChat([image('abc')], null)).not.toEqual(encodeChat([image('abd')], null));
  });
});
