import { describe, expect, it } from 'vitest';
import { post, readJson, readStream, testFleet, WORDS } from './fleet-testing.ts';

const PATH = '/v1/messages';
const model = 'qwen3-4b-dp4';
const user = (content: unknown) => ({ role: 'user', content });
const tools = [{ name: 'Bash', description: 'runs', input_schema: { type: 'object' } }];
const onRank = (rank: number) => ({ headers: { 'x-data-parallel-rank': String(rank) } });

describe('messages', () => {
  it('answers in the Anthropic shape, its input tokens net of the cache’s', async () => {
    const fleet = await testFleet();
    const request = { model, max_tokens: 40, messages: [user(WORDS.repeat(40))] };
    const counted = await readJson(await post(fleet, `${PATH}/count_tokens`, request));
    const first = await readJson(await post(fleet, PATH, request, onRank(2)));
    expect(first).toMatchObject({ type: 'message', role: 'assistant', model, stop_reason: 'max_tokens' });
    expect(first.content).toEqual([{ type: 'text', text: expect.stringMatching(/^[A-Z]/) }]);
    const second = await readJson(await post(fleet, PATH, request, onRank(2)));
    for (const { usage } of [first, second]) {
      const total = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
      expect(total).toBe(counted.input_tokens);
      expect(usage.output_tokens).toBe(40);
    }
    expect(first.usage.cache_read_input_tokens).toBe(0);
    expect(second.usage.cache_read_input_tokens).toBe(Math.floor((counted.input_tokens - 1) / 16) * 16);
    expect(counted.context_management).toEqual({ original_input_tokens: counted.input_tokens });
  });

  it('streams the events in order, the whole prompt in message_start, and no [DONE]', async () => {
    const fleet = await testFleet();
    const request = { model, max_tokens: 500, stream: true, messages: [user(WORDS)] };
    const { events, done } = await readStream(await post(fleet, `${PATH}?beta=true`, request));
    expect(done).toBe(false);
    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
    const types = events.map(({ event }) => event);
    expect(types.slice(0, 3)).toEqual(['message_start', 'content_block_start', 'content_block_delta']);
    expect(types.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
    const { usage } = events.at(-2)?.data ?? {};
    expect(events.at(-2)?.data.delta).toEqual({ stop_reason: 'end_turn', stop_sequence: null });
    expect(events[0]?.data.message).toMatchObject({
      content: [],
      stop_reason: null,
      usage: { output_tokens: 0, input_tokens: usage.input_tokens + usage.cache_creation_input_tokens },
    });
  });

  it('reports no cache and whole input tokens without --enable-prompt-tokens-details', async () => {
    const fleet = await testFleet({ promptTokensDetails: false });
    const request = { model, max_tokens: 2, messages: [user(WORDS)] };
    const { input_tokens } = await readJson(await post(fleet, `${PATH}/count_tokens`, request));
    expect((await readJson(await post(fleet, PATH, request))).usage).toEqual({ input_tokens, output_tokens: 2 });
  });

  it('drops a billing block, and only one that starts so', async () => {
    const fleet = await testFleet();
    const count = async (system: unknown) =>
      (await readJson(await post(fleet, `${PATH}/count_tokens`, { model, system, messages: [user('hi')] })))
        .input_tokens;
    const own = { type: 'text', text: 'You are an agent.' };
    const billing = { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1; cch=12345;' };
    expect(await count([billing, own])).toBe(await count([own]));
    expect(await count(own.text)).toBe(await count([own]));
    expect(await count([{ type: 'text', text: `Note: ${billing.text}` }, own])).toBeGreaterThan(await count([own]));
  });

  it('keeps the prefix when a client moves its cache marks, and with a later system message', async () => {
    const fleet = await testFleet();
    const text = WORDS.repeat(30);
    const mark = { cache_control: { type: 'ephemeral' } };
    const first = { model, max_tokens: 60, system: text, messages: [user([{ type: 'text', text, ...mark }])] };
    const answer = await readJson(await post(fleet, PATH, first, onRank(0)));
    const next = {
      ...first,
      messages: [
        user(text),
        { role: 'assistant', content: answer.content },
        user([{ type: 'text', text: 'more', ...mark }]),
        { role: 'system', content: 'Keep it short.' },
      ],
    };
    const { usage } = await readJson(await post(fleet, PATH, next, onRank(0)));
    const { input_tokens } = await readJson(await post(fleet, `${PATH}/count_tokens`, first));
    expect(usage.cache_read_input_tokens).toBe(Math.floor((input_tokens + 59) / 16) * 16);
  });
});

describe('messages tool use', () => {
  const marked = '[[tool:Bash {"command":"ls"}]][[tool:Bash {"command":"pwd"}]]';
  const request = { model, max_tokens: 500, tools, messages: [user(marked)] };

  it('answers with tool_use blocks', async () => {
    const fleet = await testFleet();
    const body = await readJson(await post(fleet, PATH, request));
    expect(body.stop_reason).toBe('tool_use');
    expect(body.content).toEqual([
      { type: 'tool_use', id: expect.any(String), name: 'Bash', input: { command: 'ls' } },
      { type: 'tool_use', id: expect.any(String), name: 'Bash', input: { command: 'pwd' } },
    ]);
    expect(body.content[0].id).not.toBe(body.content[1].id);
  });

  it('streams them as numbered blocks', async () => {
    const fleet = await testFleet();
    const { events } = await readStream(await post(fleet, PATH, { ...request, stream: true }));
    const blocks = [0, 1].map((index) => {
      const own = events.filter(({ data }) => data.index === index).map(({ data }) => data);
      return {
        types: [own[0]?.type, own.at(-1)?.type],
        block: own[0]?.content_block,
        input: own.map((data) => data.delta?.partial_json ?? '').join(''),
      };
    });
    const types = ['content_block_start', 'content_block_stop'];
    const block = { type: 'tool_use', id: expect.any(String), name: 'Bash', input: {} };
    expect(blocks).toEqual([
      { types, block, input: '{"command":"ls"}' },
      { types, block, input: '{"command":"pwd"}' },
    ]);
    expect(events.at(-2)?.data.delta.stop_reason).toBe('tool_use');
  });

  it('reads the last user message under a trailing system message, but no reminder in it', async () => {
    const fleet = await testFleet();
    const reminder = { type: 'text', text: `<system-reminder>${marked}</system-reminder>` };
    const system = { role: 'system', content: 'Environment: …' };
    const stopReason = async (content: unknown) =>
      (await readJson(await post(fleet, PATH, { ...request, messages: [user(content), system] }))).stop_reason;
    expect(await stopReason([reminder, { type: 'text', text: marked }])).toBe('tool_use');
    expect(await stopReason([reminder, { type: 'text', text: 'hello' }])).toBe('end_turn');
  });

  it('writes text after tool results, even with a marker beside them', async () => {
    const fleet = await testFleet();
    const { content } = await readJson(await post(fleet, PATH, request));
    const result = { type: 'tool_result', tool_use_id: content[0].id, content: [{ type: 'text', text: marked }] };
    const messages = [user(marked), { role: 'assistant', content }, user([result, { type: 'text', text: marked }])];
    const body = await readJson(await post(fleet, PATH, { ...request, messages }));
    expect(body.stop_reason).toBe('end_turn');
    expect(body.content[0].type).toBe('text');
  });
});

describe('messages errors', () => {
  const request = { model, max_tokens: 10, messages: [user('hi')] };

  it('puts its own refusals in the Anthropic shape', async () => {
    const fleet = await testFleet({ preset: 'a4000x4' });
    const unknown = await post(fleet, PATH, { ...request, model: 'claude-x' });
    expect([unknown.status, await readJson(unknown)]).toEqual([
      404,
      { type: 'error', error: { type: 'NotFoundError', message: 'The model `claude-x` does not exist.' } },
    ]);
    const long = await post(fleet, PATH, { ...request, messages: [user('x'.repeat(140_000))], stream: true });
    expect(long.status).toBe(400);
    expect((await readJson(long)).error).toMatchObject({
      type: 'BadRequestError',
      message: expect.stringContaining('maximum context length is 32768 tokens'),
    });
  });

  it('puts schema errors in the OpenAI shape, as the web framework does', async () => {
    const fleet = await testFleet();
    const broken = [
      { ...request, max_tokens: undefined },
      { ...request, messages: [user([{ type: 'document', source: {} }])] },
      { ...request, messages: [{ role: 'tool', content: 'x' }] },
      '{',
    ];
    for (const body of broken) {
      const response = await post(fleet, PATH, body);
      expect(response.status).toBe(400);
      expect((await readJson(response)).error).toMatchObject({ type: 'Bad Request', code: 400 });
    }
  });

  it('answers 400 to a rank out of range, or 200 and an error event without the reason when streaming', async () => {
    const fleet = await testFleet();
    const plain = await post(fleet, PATH, request, onRank(9));
    expect(plain.status).toBe(400);
    expect((await readJson(plain)).error).toEqual({
      type: 'BadRequestError',
      message: 'data_parallel_rank 9 is out of range [0, 4)',
    });
    const streamed = await post(fleet, PATH, { ...request, stream: true }, onRank(9));
    expect(streamed.status).toBe(200);
    const { events } = await readStream(streamed);
    expect(events).toHaveLength(1);
    expect(events[0]?.event).toBe('error');
    expect(events[0]?.data.error.type).toBe('internal_error');
  });
});
