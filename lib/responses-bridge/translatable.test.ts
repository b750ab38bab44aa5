import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { translatable } from './translatable.ts';

const recording = z.object({ requests: z.array(z.object({ path: z.string(), body: z.unknown() })) });

function recorded(name: string): unknown[] {
  const file = new URL(`../../fixtures/clients/${name}.json`, import.meta.url);
  const { requests } = recording.parse(JSON.parse(readFileSync(file, 'utf8')));
  return requests.filter(({ path }) => path === '/v1/responses').map(({ body }) => body);
}

const chatBody = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});

function chatOf(request: unknown): z.infer<typeof chatBody> {
  const translation = translatable(request);
  if (!translation.ok) throw new Error(translation.reason);
  return chatBody.parse(translation.chat);
}

function reasonOf(request: object): string | null {
  const translation = translatable({ model: 'm', input: 'hi', store: false, ...request });
  return translation.ok ? null : translation.reason;
}

const ask = (input: unknown, more: object = {}) => ({ model: 'm', input, store: false, ...more });
const user = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] });
const said = (text: string) => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const thought = (text: string) => ({
  type: 'reasoning',
  summary: [],
  content: [{ type: 'reasoning_text', text }],
  encrypted_content: null,
});
const call = (id: string, name = 'run', input = '{"cmd":"ls"}') => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: input,
});
const result = (id: string, output: unknown = 'README.md') => ({ type: 'function_call_output', call_id: id, output });
const chatCall = (id: string) => ({ id, type: 'function', function: { name: 'run', arguments: '{"cmd":"ls"}' } });

const RECORDINGS = ['codex-0.171.0-responses', 'codex-0.171.0-subagent', 'pi-1.6.0-responses'];

describe('recorded clients', () => {
  it.each(RECORDINGS)('%s: every request translates', (name) => {
    const requests = recorded(name);
    expect(requests.length).toBeGreaterThan(1);
    for (const request of requests) {
      const chat = chatOf(request);
      expect(chat).toMatchObject({ model: 'local-model', stream: true, stream_options: { include_usage: true } });
      expect(chat.messages.every(({ role }) => ['system', 'user', 'assistant', 'tool'].includes(role))).toBe(true);
    }
  });

  it.each(RECORDINGS)('%s: a conversation that has grown begins with the messages it had', (name) => {
    const input = z.looseObject({ input: z.array(z.unknown()) });
    const requests = recorded(name).map((request) => input.parse(request));
    let pairs = 0;
    for (const [index, before] of requests.entries()) {
      for (const after of requests.slice(index + 1)) {
        if (JSON.stringify(after.input.slice(0, before.input.length)) !== JSON.stringify(before.input)) continue;
        pairs += 1;
        const { messages: earlier, tools } = chatOf(before);
        const later = chatOf(after);
        expect(JSON.stringify(later.messages.slice(0, earlier.length))).toBe(JSON.stringify(earlier));
        expect(JSON.stringify(later.tools)).toBe(JSON.stringify(tools));
      }
    }
    expect(pairs).toBeGreaterThan(0);
  });

  it('Codex’ tools keep their order, those of a namespace carry its name, and its web search is left out', () => {
    const names = chatOf(recorded('codex-0.171.0-responses')[0]).tools?.map((tool) => tool.function.name);
    expect(names?.slice(3, 6)).toEqual(['tool_04', 'tool_05__tool_06', 'tool_05__tool_07']);
    expect(names).toHaveLength(12);
  });
});

describe('messages', () => {
  it('are a user’s where the input is a string, behind the instructions', () => {
    expect(chatOf(ask('hi', { instructions: 'be brief' })).messages).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hi' },
    ]);
  });

  it('keep a developer’s place as the system’s', () => {
    const developer = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] };
    expect(chatOf(ask([user('hi'), developer])).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'system', content: [{ type: 'text', text: 'rules' }] },
    ]);
  });

  it('open with one system message, whatever it is made of: many templates take no second', () => {
    const part = (text: string) => ({ type: 'input_text', text });
    const rules = { type: 'message', role: 'developer', content: [part('rules'), part('more')] };
    const system = { role: 'system', content: 'style' };
    expect(chatOf(ask([rules, system, user('hi')], { instructions: 'be brief' })).messages).toEqual([
      { role: 'system', content: 'be brief\n\nrules\nmore\n\nstyle' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]);
    const image = { role: 'system', content: [{ type: 'input_image', image_url: 'data:x' }] };
    expect(chatOf(ask([system, image, user('hi')])).messages).toHaveLength(3);
    for (const name of RECORDINGS) {
      for (const request of recorded(name)) {
        expect(
          chatOf(request)
            .messages.map(({ role }) => role)
            .lastIndexOf('system'),
        ).toBe(0);
      }
    }
  });

  it('hold what was thought, said and called in one answer together, with parallel calls in their order', () => {
    const input = [user('hi'), thought('hm'), said('I look.'), call('a'), call('b'), result('a'), result('b')];
    expect(chatOf(ask(input)).messages.slice(1)).toEqual([
      { role: 'assistant', content: 'I look.', reasoning: 'hm', tool_calls: [chatCall('a'), chatCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'README.md' },
      { role: 'tool', tool_call_id: 'b', content: 'README.md' },
    ]);
  });

  it('begin anew where the model thinks again, or says a second thing', () => {
    const input = [user('hi'), thought('one'), call('a'), thought('two'), call('b'), result('a'), said('x'), said('y')];
    expect(chatOf(ask(input)).messages.slice(1)).toEqual([
      { role: 'assistant', content: null, reasoning: 'one', tool_calls: [chatCall('a')] },
      { role: 'assistant', content: null, reasoning: 'two', tool_calls: [chatCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: 'README.md' },
      { role: 'assistant', content: 'x' },
      { role: 'assistant', content: 'y' },
    ]);
  });

  it('keep calls next to their results where the model said something after them', () => {
    const input = [user('hi'), said('First. '), call('a'), said('Then.'), result('a')];
    expect(chatOf(ask(input)).messages[1]).toEqual({
      role: 'assistant',
      content: 'First. Then.',
      tool_calls: [chatCall('a')],
    });
  });

  it('leave out reasoning that cannot be read, and nothing else because of it', () => {
    const secret = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'about' }], encrypted_content: 'gAAA' };
    const { messages } = chatOf(ask([user('hi'), secret, call('a'), secret, call('b'), result('a'), result('b')]));
    expect(messages[1]).toEqual({ role: 'assistant', content: null, tool_calls: [chatCall('a'), chatCall('b')] });
  });

  it('carry images, from users and from tools', () => {
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'original' };
    const { messages } = chatOf(ask([{ role: 'user', content: [image] }, call('a'), result('a', [image])]));
    const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }];
    expect(messages[0]).toEqual({ role: 'user', content });
    expect(messages[2]).toEqual({ role: 'tool', tool_call_id: 'a', content });
  });

  it('name a tool of a namespace as it is offered, and wrap a custom tool’s text', () => {
    const spawned = { ...call('a', 'spawn', '{}'), namespace: 'agents' };
    const patch = { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: 'a "b"\n' };
    const { messages } = chatOf(ask([user('hi'), spawned, patch, result('a')]));
    expect(messages[1]?.tool_calls).toEqual([
      { id: 'a', type: 'function', function: { name: 'agents__spawn', arguments: '{}' } },
      { id: 'b', type: 'function', function: { name: 'patch', arguments: '{"input":"a \\"b\\"\\n"}' } },
    ]);
  });
});

describe('a conversation that grows', () => {
  const text = fc.string({ minLength: 1, maxLength: 12 });
  const answer = fc
    .record({ thinks: fc.boolean(), says: fc.boolean(), calls: fc.nat(3), text })
    .map(({ thinks, says, calls, text: words }) => {
      const ids = Array.from({ length: calls }, (_, index) => `${words}${index}`);
      const own = [...(thinks ? [thought(words)] : []), ...(says ? [said(words)] : []), ...ids.map((id) => call(id))];
      return [...own, ...ids.map((id) => result(id, words)), ...(calls === 0 ? [user(words)] : [])];
    });

  it('extends its messages, whatever its turns are made of', () => {
    fc.assert(
      fc.property(text, fc.array(answer, { minLength: 1, maxLength: 8 }), (opening, turns) => {
        let before: unknown[] = [];
        for (let count = 0; count <= turns.length; count++) {
          const { messages } = chatOf(ask([user(opening), ...turns.slice(0, count).flat()]));
          expect(messages.slice(0, before.length)).toEqual(before);
          expect(messages.length).toBeGreaterThan(count === 0 ? 0 : before.length);
          before = messages;
        }
      }),
    );
  });
});

describe('what a request asks for', () => {
  const tool = { type: 'function', name: 'run', parameters: { type: 'object' }, strict: false };

  it('goes into chat’s fields', () => {
    const format = { type: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true };
    const request = ask('hi', {
      tools: [{ ...tool, description: 'runs' }],
      tool_choice: { type: 'function', name: 'run' },
      parallel_tool_calls: false,
      max_output_tokens: 100,
      temperature: 0,
      top_p: null,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format, verbosity: 'low' },
      user: 'u',
      metadata: { a: 'b' },
      cache_salt: 's',
      client_metadata: { thread_id: 't' },
      include: ['reasoning.encrypted_content'],
    });
    expect(chatOf(request)).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [
        {
          type: 'function',
          function: { name: 'run', description: 'runs', parameters: { type: 'object' }, strict: false },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'run' } },
      parallel_tool_calls: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
      },
      max_completion_tokens: 100,
      reasoning_effort: 'low',
      verbosity: 'low',
      temperature: 0,
      user: 'u',
      metadata: { a: 'b' },
      cache_salt: 's',
      stream: false,
    });
  });

  it('names no choice of tools where none is left', () => {
    const chat = chatOf(ask('hi', { tools: [{ type: 'web_search' }], tool_choice: 'auto', parallel_tool_calls: true }));
    expect(Object.keys(chat).sort()).toEqual(['messages', 'model', 'stream']);
  });

  it('finds the namespace of the tool it demands', () => {
    const tools = [{ type: 'namespace', name: 'agents', description: 'd', tools: [tool] }];
    expect(chatOf(ask('hi', { tools, tool_choice: { type: 'function', name: 'run' } })).tool_choice).toEqual({
      type: 'function',
      function: { name: 'agents__run' },
    });
  });
});

describe('what cannot be translated', () => {
  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['background', { background: true }],
    ['stored', { store: undefined }],
    ['stored', { store: true }],
    ['stored', { prompt: { id: 'p' } }],
    ['truncation', { truncation: 'auto' }],
    ['file_search_call.results', { include: ['file_search_call.results'] }],
    ['file_search', { tools: [{ type: 'file_search' }] }],
    ['web_search_preview', { tools: [{ type: 'web_search_preview' }] }],
    ['computer_use_preview', { tools: [{ type: 'computer_use_preview' }] }],
    ['code_interpreter', { tools: [{ type: 'code_interpreter' }] }],
    ['image_generation', { tools: [{ type: 'image_generation' }] }],
    ['mcp', { tools: [{ type: 'mcp' }] }],
    ['local_shell', { tools: [{ type: 'local_shell' }] }],
    ['local_shell', { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'local_shell' }] }] }],
    ['grammar', { tools: [{ type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark' } }] }],
    ['allowed_tools', { tool_choice: { type: 'allowed_tools' } }],
    ['demands a tool call', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
    [
      'same name',
      {
        tools: [
          { type: 'function', name: 'a' },
          { type: 'custom', name: 'a' },
        ],
      },
    ],
    ['grammar', { text: { format: { type: 'grammar' } } }],
    ['stored item', { input: [{ type: 'item_reference', id: 'i' }] }],
    ['web_search_call', { input: [{ type: 'web_search_call', id: 'i' }] }],
    ['input_file', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] }],
    ['input_audio', { input: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
    ['image that is stored', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] }],
    ['image in an answer', { input: [{ role: 'assistant', content: [{ type: 'input_image', image_url: 'u' }] }] }],
    ['input_file', { input: [result('a', [{ type: 'input_file' }])] }],
    ['go on with', { input: [user('hi'), { ...said('And'), status: 'incomplete' }] }],
    ['form that is not known here (input)', { input: [{ role: 'tool', content: 'x' }] }],
    ['form that is not known here (max_output_tokens)', { max_output_tokens: 'many' }],
  ])('is refused with one sentence that names it: %s', (word, request) => {
    const reason = reasonOf(request);
    expect(reason).toContain(word);
    expect(reason).toMatch(/^[A-Z][^\n]*\.$/);
  });

  it.each([[null], ['text'], [[]], [{}]])('is refused where it is no request at all: %j', (request) => {
    expect(translatable(request).ok).toBe(false);
  });
});
