import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBodyTap } from './body-tap.ts';
import { createStreamTap } from './stream-tap.ts';
import { readUsage } from './usage.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Feeds a stream cut at the given places; the tap must not care where chunks end. */
function tapped(text: string, cuts: readonly number[] = []) {
  const tap = createStreamTap();
  const all = bytes(text);
  const places = [...new Set(cuts.map((cut) => cut % (all.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const place of [...places, all.length]) {
    tap.chunk(all.subarray(from, place));
    from = place;
  }
  return tap.result();
}

const CHAT = `data: {"id":"x","choices":[{"index":0,"delta":{"content":"the \\"usage\\" of words"}}]}

data: {"id":"x","choices":[],"usage":{"prompt_tokens":7580,"total_tokens":7644,"completion_tokens":64,"prompt_tokens_details":{"cached_tokens":7168}}}

data: [DONE]

`;
const MESSAGES = `event: message_start
data: {"type":"message_start","message":{"id":"m","usage":{"output_tokens":0,"input_tokens":7580}}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":64,"cache_read_input_tokens":7168,"cache_creation_input_tokens":400,"input_tokens":12}}

event: message_stop
data: {"type":"message_stop"}

`;
const RESPONSES = `event: response.completed
data: {"type":"response.completed","response":{"id":"r","error":null,"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":64},"output_tokens":9,"total_tokens":109}}}

`;

describe('usage of a stream', () => {
  it.each([
    ['chat completions', CHAT, { promptTokens: 7580, cachedTokens: 7168, completionTokens: 64 }],
    ['messages', MESSAGES, { promptTokens: 7580, cachedTokens: 7168, completionTokens: 64 }],
    ['responses', RESPONSES, { promptTokens: 100, cachedTokens: 64, completionTokens: 9 }],
  ])('is read from %s, wherever the chunks are cut', (_name, text, usage) => {
    fc.assert(
      fc.property(fc.array(fc.nat(2000), { maxLength: 30 }), (cuts) => {
        expect(tapped(text, cuts)).toEqual({ usage, sawError: false });
      }),
      { numRuns: 200 },
    );
  });

  it('is unknown, not zero, where the stream does not carry it', () => {
    expect(tapped('data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n').usage).toEqual({
      promptTokens: null,
      cachedTokens: null,
      completionTokens: null,
    });
  });

  it('sees an error inside a stream in each shape, and none in what the model merely says', () => {
    expect(tapped('data: {"error":{"message":"boom","code":400}}\n\ndata: [DONE]\n\n').sawError).toBe(true);
    expect(tapped('event: error\ndata: {"type":"error","error":{"type":"internal_error"}}\n\n').sawError).toBe(true);
    expect(tapped('data: {"type":"response.failed","response":{"error":{"code":"x"}}}\n\n').sawError).toBe(true);
    expect(tapped('data: {"choices":[{"delta":{"content":"{\\"error\\":{}}"}}]}\n\n').sawError).toBe(false);
  });

  it('takes an answer that the engine gave up for an error, though it ends with usage and [DONE]', () => {
    const aborted = `data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"abort"}]}\n\n${CHAT}`;
    expect(tapped(aborted)).toMatchObject({ sawError: true, usage: { promptTokens: 7580 } });
    expect(tapped('data: {"choices":[{"delta":{"content":"\\"abort\\""}}]}\n\n').sawError).toBe(false);
    expect(tapped(MESSAGES.replace('"end_turn"', 'null')).sawError).toBe(true);
  });

  it('goes on after a line that is too long to look into', () => {
    expect(tapped(`data: ${'x'.repeat(600_000)}\n${CHAT}`, [100_000, 300_000]).usage.cachedTokens).toBe(7168);
  });
});

describe('a body', () => {
  const read = (body: object) => {
    const tap = createBodyTap();
    tap.chunk(bytes(JSON.stringify(body)));
    return tap.result();
  };

  it.each([
    [{ choices: [{ finish_reason: 'stop' }, { finish_reason: 'abort' }] }, true],
    [{ choices: [{ finish_reason: 'length' }] }, false],
    [{ type: 'message', stop_reason: null }, true],
    [{ type: 'message', stop_reason: 'end_turn' }, false],
    [{ data: [] }, false],
  ])('%j is an answer that the engine gave up: %s', (body, givenUp) => {
    expect(read({ ...body, usage: { prompt_tokens: 5, completion_tokens: 1 } })).toMatchObject({
      sawError: givenUp,
      usage: { promptTokens: 5 },
    });
  });
});

describe('readUsage', () => {
  it('takes input_tokens as the total where Anthropic cache fields are absent', () => {
    expect(readUsage({ input_tokens: 50, output_tokens: 3 })).toEqual({
      promptTokens: 50,
      cachedTokens: null,
      completionTokens: 3,
    });
  });

  it('leaves cached unknown where the engine sends null details', () => {
    expect(readUsage({ prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: null })?.cachedTokens).toBeNull();
  });

  it('knows no usage in null, arrays and other objects', () => {
    for (const value of [null, undefined, [], {}, 'usage', { total_tokens: 3 }]) expect(readUsage(value)).toBeNull();
  });
});
