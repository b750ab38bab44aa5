import { describe, expect, it } from 'vitest';
import { firstUserMessage } from './first-user-message.ts';

describe('the first user message', () => {
  it('is the same as a string and as blocks, with or without cache_control', () => {
    const asString = firstUserMessage([{ role: 'user', content: 'Mend the build.' }]);
    const block = { type: 'text', text: 'Mend the build.', cache_control: { type: 'ephemeral' } };
    expect(firstUserMessage([{ role: 'user', content: [block] }])).toBe(asString);
    expect(asString).toBe('Mend the build.');
  });

  it('skips system and developer messages, items that are no messages, and messages without text', () => {
    const items = [
      { role: 'system', content: 'You are an agent.' },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
      { type: 'reasoning', role: 'user', content: 'not said by anybody' },
      null,
      'stray',
      { role: 'user', content: [{ type: 'tool_result', content: 'ok' }] },
      { role: 'user', content: '  ' },
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Look at ' }, { type: 'input_image' }, 'this.'],
      },
      { role: 'user', content: 'Later.' },
    ];
    expect(firstUserMessage(items)).toBe('Look at \nthis.');
  });

  it('takes the string that a Responses input may be', () => {
    expect(firstUserMessage('Say hello.')).toBe('Say hello.');
    expect(firstUserMessage(' ')).toBeNull();
  });

  it('reads no further than the message it was looking for', () => {
    function* items() {
      yield { role: 'system', content: 'You are an agent.' };
      yield { role: 'user', content: 'First.' };
      throw new Error('read too far');
    }
    expect(firstUserMessage(items())).toBe('First.');
  });

  it("passes over a client's preamble, which all conversations in one directory share, unless there is nothing else", () => {
    const preamble = { role: 'user', content: '<environment_context>\n<cwd>/srv</cwd>\n</environment_context>' };
    expect(firstUserMessage([preamble, { role: 'user', content: 'Mend it.' }])).toBe('Mend it.');
    expect(firstUserMessage([preamble])).toBe(preamble.content);
  });

  it('is null where there is none', () => {
    for (const messages of [
      undefined,
      null,
      5,
      {},
      [],
      [{ role: 'assistant', content: 'Hello.' }],
      [{ role: 'user' }],
    ]) {
      expect(firstUserMessage(messages)).toBeNull();
    }
  });
});
