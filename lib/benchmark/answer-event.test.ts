import { describe, expect, it } from 'vitest';
import { readAnswerEvent } from './answer-event.ts';

describe('an event of a streamed answer', () => {
  it.each([
    ['text of messages', { type: 'content_block_delta', delta: { type: 'text_delta', text: 'hi' } }, 'hi'],
    ['thinking', { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } }, ''],
    ['a tool’s input', { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{' } }, ''],
    ['text of a chat', { choices: [{ delta: { content: 'hi' } }] }, 'hi'],
    ['reasoning of a chat', { choices: [{ delta: { reasoning_content: 'hm' } }] }, ''],
    ['the role that opens a chat', { choices: [{ delta: { role: 'assistant', content: '' } }] }, null],
    ['the start of a block', { type: 'content_block_start', content_block: { type: 'text', text: '' } }, null],
    ['a ping', { type: 'ping' }, null],
    ['something else', 'text', null],
  ])('%s', (_, event, text) => {
    expect(readAnswerEvent(event).text).toBe(text);
  });

  it('brings usage and errors as they are read elsewhere', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 8 } };
    expect(readAnswerEvent({ choices: [], usage }).usage).toEqual({
      promptTokens: 10,
      cachedTokens: 8,
      completionTokens: 2,
    });
    expect(readAnswerEvent({ type: 'error', error: { message: 'no' } }).isError).toBe(true);
  });
});
