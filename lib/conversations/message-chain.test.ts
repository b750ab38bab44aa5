import { describe, expect, it } from 'vitest';
import { readChain } from './message-chain.ts';
import { bytesOf, chain, step, user } from './test-prompts.ts';

const hashes = (messages: unknown, api: 'messages' | 'chat' | 'responses' = 'messages') =>
  chain(messages, api).messages.map(({ a, b }) => [a, b]);

const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more });
const call = { id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{"path":"."}' } };

describe('the same message', () => {
  it.each([
    ['a string and a block', user('hi'), { role: 'user', content: [text('hi')] }],
    [
      'with and without cache_control',
      { role: 'user', content: [text('hi')] },
      {
        role: 'user',
        content: [text('hi', { cache_control: { type: 'ephemeral' } })],
        cache_control: { type: 'ephemeral' },
      },
    ],
    [
      'its fields in another order',
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
      {
        content: [{ content: [text('x')], tool_use_id: 't1', type: 'tool_result' }],
        role: 'user',
      },
    ],
    [
      'with null and empty parts',
      { role: 'assistant', content: null, tool_calls: [call] },
      {
        role: 'assistant',
        content: '',
        refusal: null,
        tool_calls: [{ ...call, index: 0 }],
      },
    ],
    [
      'with and without the thoughts behind it',
      { role: 'assistant', content: [text('so')] },
      {
        role: 'assistant',
        reasoning_content: 'hm',
        content: [{ type: 'thinking', thinking: 'hm', signature: 'abc' }, text('so')],
      },
    ],
    [
      'as an item with an id',
      { role: 'user', content: 'hi' },
      {
        type: 'message',
        id: 'msg_1',
        status: 'completed',
        role: 'user',
        content: [{ type: 'input_text', text: 'hi' }],
      },
    ],
  ])('%s', (_, one, other) => {
    expect(hashes([one])).toEqual(hashes([other]));
  });

  it('is the input of /v1/responses that is only a string', () => {
    expect(hashes('hi', 'responses')).toEqual(hashes([user('hi')], 'responses'));
  });
});

describe('another message', () => {
  const toolUse = (input: unknown, id = 't1') => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'Read', input }],
  });
  it.each([
    ['of another role', user('hi'), { role: 'assistant', content: 'hi' }],
    ['with one letter changed', user('a long enough text'), user('a long enough texT')],
    [
      'with its blocks cut elsewhere',
      { role: 'user', content: [text('ab'), text('c')] },
      {
        role: 'user',
        content: [text('a'), text('bc')],
      },
    ],
    [
      'with its blocks in another order',
      { role: 'user', content: [text('a'), text('b')] },
      {
        role: 'user',
        content: [text('b'), text('a')],
      },
    ],
    ['with other arguments of a tool', toolUse({ path: 'a' }), toolUse({ path: 'b' })],
    ['with another call id', toolUse({}, 't1'), toolUse({}, 't2')],
    [
      'with another call',
      { role: 'assistant', content: 'x', tool_calls: [call] },
      {
        role: 'assistant',
        content: 'x',
        tool_calls: [{ ...call, function: { name: 'ls', arguments: '{"path":".."}' } }],
      },
    ],
    [
      'with an answer to another call',
      { role: 'tool', tool_call_id: 'a', content: 'x' },
      {
        role: 'tool',
        tool_call_id: 'b',
        content: 'x',
      },
    ],
    [
      'with another picture',
      { role: 'user', content: [{ type: 'image', source: { data: 'AAAA' } }] },
      {
        role: 'user',
        content: [{ type: 'image', source: { data: 'AAAB' } }],
      },
    ],
  ])('%s', (_, one, other) => {
    expect(hashes([one])).not.toEqual(hashes([other]));
  });
});

describe('a chain', () => {
  it('leaves system messages out, and counts those between the others', () => {
    const system = { role: 'system', content: 'You are a coding agent.' };
    const later = { role: 'system', content: '12 tokens are left.' };
    const [answer, result] = step('a');
    const all = chain([system, { ...system, role: 'developer' }, user('hi'), later, answer, result, later], 'chat');
    expect(all.messages.map(({ a, b }) => [a, b])).toEqual(hashes([user('hi'), answer, result], 'chat'));
    expect(all.messages.map(({ position }) => position)).toEqual([2, 4, 5]);
    expect(all).toMatchObject({ systemEntries: 2, systemPrompt: expect.anything() });
    expect(chain([user('hi')]).systemPrompt).toBeNull();
  });

  it('knows who wrote a message, in items of /v1/responses too', () => {
    const items = [
      { role: 'user', content: 'list' },
      { type: 'reasoning', summary: [] },
      { type: 'function_call', name: 'ls', arguments: '{}', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1', output: 'a.ts' },
    ];
    const { messages } = chain(items, 'responses');
    expect(messages.map(({ byModel }) => byModel)).toEqual([false, true, false]);
    expect(messages.map(({ position }) => position)).toEqual([0, 2, 3]);
  });

  it('counts the bytes of what stands behind a message to the message', () => {
    const [first, system] = [user('hi'), { role: 'system', content: 'be brief' }];
    const sizes = [first, system].map((message) => bytesOf(message).length);
    expect(chain([first, system]).messages.map(({ bytes }) => bytes)).toEqual([(sizes[0] ?? 0) + (sizes[1] ?? 0)]);
  });

  it('is there for APIs with conversations only', () => {
    const body = bytesOf(['a text']);
    expect(readChain(body, { start: 0, end: body.length }, 'other')).toBeNull();
    expect(readChain(body, { start: 0, end: body.length }, 'completions')).toBeNull();
  });

  it('ends where the messages are not JSON, and is empty where they are no list', () => {
    const body = new TextEncoder().encode('[{"role":"user","content":"a"},{"role":"user","content":[{"type"}]},');
    expect(readChain(body, { start: 0, end: body.length }, 'messages')?.messages.length).toBe(1);
    expect(chain({ role: 'user' }).messages).toEqual([]);
    expect(chain([1, null, 'x', []]).messages.map(({ byModel }) => byModel)).toEqual([false, false, false, false]);
  });

  it('is read up to 4,096 messages, so that a body of nothing else costs no more', () => {
    expect(chain(Array.from({ length: 5000 }, () => 1)).messages.length).toBe(4096);
    expect(chain(Array.from({ length: 5000 }, () => user('hi'))).messages.length).toBe(4096);
  });

  it('reads contents within contents without end', () => {
    const depth = 20_000;
    const nested = `${'{"role":"user","content":['.repeat(depth)}${']}'.repeat(depth)}`;
    const body = new TextEncoder().encode(`[${nested},${JSON.stringify(user('hi'))}]`);
    expect(readChain(body, { start: 0, end: body.length }, 'messages')?.messages.length).toBe(2);
  });
});
