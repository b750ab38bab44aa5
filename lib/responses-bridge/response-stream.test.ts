import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ResponsePlan } from './response-plan.ts';
import { createResponseStream } from './response-stream.ts';
import { translatable } from './translatable.ts';

const IDENTITY = { responseId: 'resp_7', createdAt: 1_796_030_056_789 };
const encoder = new TextEncoder();
const event = z.looseObject({ type: z.string(), sequence_number: z.number() });
type Event = z.infer<typeof event>;

function plan(request: object = {}): ResponsePlan {
  const translation = translatable({ model: 'm', input: 'hi', store: false, stream: true, ...request });
  if (!translation.ok) throw new Error(translation.reason);
  return translation.plan;
}

const chunk = (delta: object | null, finish: string | null = null, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'served',
  choices: delta === null ? [] : [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  ...more,
});
const ROLE = chunk({ role: 'assistant', content: '' });
const callChunk = (index: number, name: string | null, input: string, id: string | null = null) =>
  chunk({ tool_calls: [{ index, ...(id ? { id } : {}), function: { ...(name ? { name } : {}), arguments: input } }] });
const USAGE = { prompt_tokens: 50, completion_tokens: 8, total_tokens: 58 };
const usageChunk = (more: object = {}) => chunk(null, null, { usage: { ...USAGE, ...more } });

function sse(chunks: readonly object[], end = '\n'): string {
  return [...chunks.map((data) => JSON.stringify(data)), '[DONE]'].map((data) => `data: ${data}${end}${end}`).join('');
}

/** Translates a chat stream, cut at the given places, and gives the text that a client gets. */
function translate(text: string, request: object = {}, cuts: readonly number[] = []) {
  const stream = createResponseStream(plan(request), IDENTITY);
  const all = encoder.encode(text);
  const decoder = new TextDecoder();
  const places = [...new Set(cuts.map((cut) => cut % (all.length + 1)))].sort((a, b) => a - b);
  let written = '';
  let from = 0;
  for (const place of [...places, all.length]) {
    for (const bytes of stream.chunk(all.subarray(from, place))) written += decoder.decode(bytes);
    from = place;
  }
  for (const bytes of stream.end()) written += decoder.decode(bytes);
  return { written, outcome: stream.outcome() };
}

function events(chunks: readonly object[], request: object = {}): Event[] {
  return read(translate(sse(chunks), request).written);
}

/** The events of a stream, whose form is checked on the way. */
function read(text: string): Event[] {
  const blocks = text.split('\n\n').slice(0, -1);
  const all = blocks.map((block) => {
    const [name, data = ''] = block.split('\n');
    const parsed = event.parse(JSON.parse(data.slice('data: '.length)));
    expect(name).toBe(`event: ${parsed.type}`);
    return parsed;
  });
  expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, index) => index));
  return all;
}

const types = (all: readonly Event[]) => all.map(({ type }) => type.replace('response.', ''));
const lastResponse = (all: readonly Event[]) =>
  z.looseObject({ response: z.looseObject({}) }).parse(all.at(-1)).response;

describe('a stream of text', () => {
  const all = events([
    ROLE,
    chunk({ content: 'Hel' }),
    chunk({ content: 'lo' }),
    chunk({ content: '' }, 'stop'),
    usageChunk(),
  ]);

  it('has each event of a response in its order', () => {
    expect(types(all)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
  });

  it('names item and part, by ids that stay, in each of them', () => {
    const place = { output_index: 0, item_id: 'msg_7_0', content_index: 0 };
    expect(all[2]).toMatchObject({ output_index: 0, item: { id: 'msg_7_0', status: 'in_progress', content: [] } });
    for (const index of [3, 4, 5, 6, 7]) expect(all[index]).toMatchObject(place);
    expect(all[6]).toMatchObject({ text: 'Hello', logprobs: [] });
    expect(all[8]).toMatchObject({ item: { id: 'msg_7_0', status: 'completed', content: [{ text: 'Hello' }] } });
  });

  it('opens with the response as it was asked for, and closes with all of it', () => {
    expect(all[0]?.response).toMatchObject({
      id: 'resp_7',
      created_at: 1_796_030_056,
      model: 'served',
      status: 'in_progress',
    });
    expect(all[1]?.response).toEqual(all[0]?.response);
    expect(lastResponse(all)).toMatchObject({
      id: 'resp_7',
      status: 'completed',
      error: null,
      incomplete_details: null,
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { input_tokens: 50, output_tokens: 8, total_tokens: 58 },
    });
  });
});

describe('what the model thinks and calls', () => {
  it.each(['reasoning', 'reasoning_content'])('comes before the text, from %s, as an item of its own', (field) => {
    const all = events([ROLE, chunk({ [field]: 'hm' }), chunk({ [field]: '…' }), chunk({ content: 'Yes.' }, 'stop')]);
    expect(types(all).slice(2)).toEqual([
      'output_item.added',
      'content_part.added',
      'reasoning_text.delta',
      'reasoning_text.delta',
      'reasoning_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(all[8]).toMatchObject({
      output_index: 0,
      item: { id: 'rs_7_0', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'hm…' }] },
    });
    expect(all[9]).toMatchObject({ output_index: 1, item: { id: 'msg_7_1' } });
  });

  it('gives each of parallel calls its item, its arguments and the engine’s id', () => {
    const all = events([
      ROLE,
      callChunk(0, 'read', '', 'call-a'),
      callChunk(0, null, '{"a"'),
      callChunk(0, null, ':1}'),
      callChunk(1, 'write', '{}'),
      chunk({ content: '' }, 'tool_calls'),
    ]);
    expect(types(all).slice(2)).toEqual([
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    expect(all[5]).toMatchObject({ item_id: 'fc_7_0', output_index: 0, name: 'read', arguments: '{"a":1}' });
    expect(lastResponse(all).output).toEqual([
      {
        id: 'fc_7_0',
        type: 'function_call',
        status: 'completed',
        call_id: 'call-a',
        name: 'read',
        arguments: '{"a":1}',
      },
      { id: 'fc_7_1', type: 'function_call', status: 'completed', call_id: 'call_7_1', name: 'write', arguments: '{}' },
    ]);
  });

  it('gives a tool of a namespace back under the names that the client knows, prefix forgotten or not', () => {
    const spawn = { type: 'function', name: 'spawn', parameters: {} };
    const tools = [{ type: 'namespace', name: 'agents', description: 'd', tools: [spawn] }];
    for (const name of ['agents__spawn', 'spawn']) {
      const all = events([callChunk(0, name, '{}'), chunk({}, 'tool_calls')], { tools });
      expect(lastResponse(all).output).toMatchObject([{ type: 'function_call', name: 'spawn', namespace: 'agents' }]);
    }
  });

  it('gives a custom tool its text', () => {
    const tools = [{ type: 'custom', name: 'patch', description: 'd' }];
    const pieces = ['{"inp', 'ut": "a ', '\\', '"b\\"', '\\n', '"}'];
    const all = events(
      [callChunk(0, 'patch', '', 'c'), ...pieces.map((piece) => callChunk(0, null, piece)), chunk({}, 'tool_calls')],
      { tools },
    );
    const deltas = all.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
    expect(deltas.map(({ delta }) => delta)).toEqual(['a ', '"b"', '\n']);
    expect(all.at(-3)).toMatchObject({ type: 'response.custom_tool_call_input.done', input: 'a "b"\n' });
    expect(lastResponse(all).output).toMatchObject([
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'a "b"\n' },
    ]);
  });

  it('makes no message of white space around calls, but loses none that leads a text', () => {
    const around = [chunk({ reasoning: '\n' }), chunk({ content: '\n\n' }), callChunk(0, 'read', '{}')];
    const output = lastResponse(events([...around, chunk({ content: '\n' }), chunk({}, 'tool_calls')])).output;
    expect(output).toMatchObject([{ type: 'function_call' }]);
    const led = events([
      chunk({ content: '\n' }),
      chunk({ content: ' ' }),
      chunk({ content: 'Yes ' }),
      chunk({}, 'stop'),
    ]);
    expect(lastResponse(led).output).toMatchObject([{ content: [{ text: '\n Yes ' }] }]);
  });
});

describe('usage', () => {
  const usageOf = (more: object, delta: object = { content: 'Hi' }) =>
    lastResponse(events([chunk(delta, 'stop'), usageChunk(more)])).usage;

  it('says what came from the cache and what was thought', () => {
    const details = {
      prompt_tokens_details: { cached_tokens: 48 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    expect(usageOf(details)).toEqual({
      input_tokens: 50,
      input_tokens_details: { cached_tokens: 48 },
      output_tokens: 8,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 58,
    });
  });

  it('has null details for what the engine does not say', () => {
    expect(usageOf({ prompt_tokens_details: null })).toMatchObject({
      input_tokens_details: null,
      output_tokens_details: { reasoning_tokens: 0 },
    });
    expect(usageOf({}, { reasoning: 'hm' })).toMatchObject({ input_tokens_details: null, output_tokens_details: null });
  });

  it('is null where there was none', () => {
    expect(lastResponse(events([chunk({ content: 'Hi' }, 'stop')])).usage).toBeNull();
  });
});

describe('the end', () => {
  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('is a response.completed that says it is incomplete after %s, as vLLM’s own', (finish, reason) => {
    const all = events([chunk({ content: 'Hel' }), chunk({ content: 'lo' }, finish), usageChunk()]);
    expect(all.at(-1)?.type).toBe('response.completed');
    expect(lastResponse(all)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ status: 'incomplete', content: [{ text: 'Hello' }] }],
      usage: { input_tokens: 50 },
    });
  });

  it.each([
    [400, 'invalid_prompt'],
    [429, 'rate_limit_exceeded'],
    [500, 'server_error'],
    [null, 'server_error'],
  ])('is response.failed after an error with code %s, in the engine’s words', (code, expected) => {
    const failed = { error: { message: 'No such rank.', type: 'BadRequestError', param: null, code } };
    for (const before of [[], [ROLE, chunk({ content: 'Hel' })]]) {
      const all = events([...before, failed]);
      expect(types(all).slice(0, 2)).toEqual(['created', 'in_progress']);
      expect(all.filter(({ type }) => type.endsWith('.done'))).toEqual([]);
      expect(all.at(-1)?.type).toBe('response.failed');
      expect(lastResponse(all)).toMatchObject({
        status: 'failed',
        error: { code: expected, message: 'No such rank.' },
      });
    }
  });

  it.each([
    ['an aborted request', [callChunk(0, 'run', '{"cmd":"rm'), chunk({}, 'abort')]],
    ['a call without a name', [callChunk(0, null, '{}')]],
    ['a piece of a call that has ended', [callChunk(0, 'a', '{'), callChunk(1, 'b', '{}'), callChunk(0, null, '}')]],
  ])('is response.failed after %s, and hands out no call that was cut short', (_name, chunks) => {
    const all = events([...chunks, usageChunk()]);
    expect(all.at(-1)?.type).toBe('response.failed');
    const done = all.filter(({ type }) => type === 'response.output_item.done');
    expect(JSON.stringify(done)).not.toContain('rm');
  });

  it('is response.failed where the engine sends what is no JSON', () => {
    expect(translate('data: {"choices"\n\n').outcome).toBe('failed');
  });

  it('never comes where the stream was cut off, which the caller can tell', () => {
    for (const text of ['', sse([ROLE]), `data: ${JSON.stringify(chunk({ content: 'Hel' }))}\n\ndata: {"cho`]) {
      const { written, outcome } = translate(text);
      expect(outcome).toBe('open');
      expect(written).not.toMatch(/response\.(completed|failed|incomplete)/);
    }
  });

  it('comes once, whatever follows', () => {
    const finished = sse([chunk({ content: 'Hi' }, 'stop')]);
    expect(translate(finished + finished)).toEqual({ ...translate(finished), outcome: 'completed' });
  });

  it('does not wait for [DONE]', () => {
    const text = `data: ${JSON.stringify(chunk({ content: 'Hi' }, 'stop'))}\n\n`;
    expect(translate(text)).toEqual({ ...translate(sse([chunk({ content: 'Hi' }, 'stop')])), outcome: 'completed' });
  });
});

describe('the bytes', () => {
  const text = sse([
    ROLE,
    chunk({ reasoning: 'Überlegt 🤔' }),
    chunk({ content: 'Grüße, 世界 🎉' }),
    callChunk(0, 'read', '{"pfad":"ä'),
    callChunk(0, null, '"}'),
    chunk({}, 'tool_calls'),
    usageChunk(),
  ]);

  it('are the same wherever the chat stream is cut, and whichever its line ends are', () => {
    const whole = translate(text);
    expect(whole.outcome).toBe('completed');
    fc.assert(
      fc.property(fc.array(fc.nat(3000), { maxLength: 40 }), fc.boolean(), (cuts, isCrlf) => {
        expect(translate(isCrlf ? text.replaceAll('\n', '\r\n') : text, {}, cuts)).toEqual(whole);
      }),
    );
  });

  it('are written for every delta at once', () => {
    const stream = createResponseStream(plan(), IDENTITY);
    const send = (data: object) => stream.chunk(encoder.encode(`: ping\n\ndata:${JSON.stringify(data)}\n\n`)).length;
    expect(send(ROLE)).toBe(1);
    for (const delta of [{ reasoning: 'a' }, { content: 'b' }, { content: 'c' }]) expect(send(chunk(delta))).toBe(1);
    expect(send(callChunk(0, 'read', ''))).toBe(1);
    expect(send(callChunk(0, null, '{'))).toBe(1);
  });
});
