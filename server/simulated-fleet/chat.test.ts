import { describe, expect, it } from 'vitest';
import { type LooseJson, post, readJson, readStream, testFleet, WORDS } from './fleet-testing.ts';

const PATH = '/v1/chat/completions';
const model = 'qwen3-4b-dp4';
const user = (content: unknown) => ({ role: 'user', content });
const tools = [{ type: 'function', function: { name: 'Bash', description: 'runs', parameters: { type: 'object' } } }];
const onRank = (rank: number | string) => ({ headers: { 'x-data-parallel-rank': String(rank) } });

describe('chat completions', () => {
  it('answers in vLLM’s shape', async () => {
    const fleet = await testFleet();
    const response = await post(fleet, PATH, { model, messages: [user(WORDS)], max_tokens: 30 });
    const body = await readJson(response);
    expect(response.status).toBe(200);
    expect(body).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message: { role: 'assistant' }, finish_reason: 'length' }],
      usage: { completion_tokens: 30, prompt_tokens_details: { cached_tokens: 0, multimodal_tokens: null } },
    });
    expect(body.id).toMatch(/^chatcmpl-/);
    expect(body.system_fingerprint).toContain('-dp4-');
    expect(body.choices[0].message.content).toHaveLength(120);
    expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens + 30);
  });

  it('streams the role with the first token, then text, the reason, and the usage only when asked', async () => {
    const fleet = await testFleet();
    const request = { model, messages: [user(WORDS)], max_tokens: 500, stream: true };
    const plain = await readStream(await post(fleet, PATH, request));
    expect(plain.done).toBe(true);
    expect(plain.events[0]?.data.choices[0]).toMatchObject({
      delta: { role: 'assistant', content: '' },
      finish_reason: null,
    });
    expect(plain.events.at(-1)?.data.choices[0]).toMatchObject({ delta: { content: '' }, finish_reason: 'stop' });
    expect(plain.events.some(({ data }) => 'usage' in data)).toBe(false);

    const counted = await readStream(await post(fleet, PATH, { ...request, stream_options: { include_usage: true } }));
    expect(counted.done).toBe(true);
    const last = counted.events.at(-1)?.data;
    expect(last).toMatchObject({ choices: [], usage: { completion_tokens: plain.events.length - 1 } });
    expect(counted.events).toHaveLength(plain.events.length + 1);
  });

  it('counts along when continuous usage is asked for', async () => {
    const fleet = await testFleet();
    const stream_options = { include_usage: true, continuous_usage_stats: true };
    const request = { model, messages: [user(WORDS)], max_tokens: 3, stream: true, stream_options };
    const { events } = await readStream(await post(fleet, PATH, request));
    expect(events.map(({ data }) => data.usage.completion_tokens)).toEqual([1, 1, 2, 3, 3]);
  });

  it('finds the second turn in the cache of the same rank and not on another', async () => {
    const fleet = await testFleet();
    const first = [user(WORDS.repeat(40))];
    const ask = async (rank: number, messages: unknown[]) =>
      readJson(await post(fleet, PATH, { model, messages, max_tokens: 50 }, onRank(rank)));
    const answer = await ask(1, first);
    const second = [...first, answer.choices[0].message, user('go on')];
    const cached = async (rank: number) => (await ask(rank, second)).usage.prompt_tokens_details.cached_tokens;
    // Everything of the first turn that fills blocks, its answer included.
    const spoken = answer.usage.total_tokens - 1;
    expect(await cached(1)).toBe(Math.floor(spoken / 16) * 16);
    expect(await cached(3)).toBe(0);
    expect(fleet.gauges().map(({ finished }) => finished)).toEqual([0, 2, 0, 1]);
  });

  it('gives the same answer to the same prompt', async () => {
    const fleet = await testFleet();
    const ask = async () => (await readJson(await post(fleet, PATH, { model, messages: [user('hi')] }))).choices;
    expect(await ask()).toEqual(await ask());
  });

  it('generates to max_tokens when told to ignore the end', async () => {
    const fleet = await testFleet();
    const request = { model, messages: [user('hi')], max_completion_tokens: 300, ignore_eos: true };
    expect((await readJson(await post(fleet, PATH, request))).usage.completion_tokens).toBe(300);
  });

  it('leaves the details out without --enable-prompt-tokens-details', async () => {
    const fleet = await testFleet({ promptTokensDetails: false });
    const body = await readJson(await post(fleet, PATH, { model, messages: [user('hi')], max_tokens: 2 }));
    expect(body.usage.prompt_tokens_details).toBeNull();
  });

  it('uses the client’s request id', async () => {
    const fleet = await testFleet();
    const headers = { 'x-request-id': 'abc' };
    const body = await readJson(await post(fleet, PATH, { model, messages: [user('hi')], max_tokens: 2 }, { headers }));
    expect(body.id).toBe('chatcmpl-abc');
  });
});

describe('chat tool calls', () => {
  const marked = 'Look [[tool:Bash {"command": "ls"}]] and [[tool:Bash {"command":"pwd"}]]';

  it('makes the calls that the last user message names, in parallel', async () => {
    const fleet = await testFleet();
    const body = await readJson(await post(fleet, PATH, { model, messages: [user(marked)], tools }));
    expect(body.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } },
          { type: 'function', function: { name: 'Bash', arguments: '{"command":"pwd"}' } },
        ],
      },
    });
  });

  it('streams them: the name first, then the arguments in pieces', async () => {
    const fleet = await testFleet();
    const { events } = await readStream(
      await post(fleet, PATH, { model, messages: [user(marked)], tools, stream: true }),
    );
    const deltas = events.flatMap(({ data }) => data.choices[0].delta.tool_calls ?? []);
    const calls = new Map<number, { names: string[]; input: string }>();
    for (const delta of deltas) {
      const call = calls.get(delta.index) ?? { names: [], input: '' };
      if (delta.function.name) call.names.push(delta.function.name);
      call.input += delta.function.arguments;
      calls.set(delta.index, call);
    }
    expect([...calls.values()]).toEqual([
      { names: ['Bash'], input: '{"command":"ls"}' },
      { names: ['Bash'], input: '{"command":"pwd"}' },
    ]);
    expect(events.at(-1)?.data.choices[0].finish_reason).toBe('tool_calls');
  });

  it('writes text after a tool result, without tools, and when the marker stands elsewhere', async () => {
    const fleet = await testFleet();
    const call = { id: 'c1', type: 'function', function: { name: 'Bash', arguments: '{}' } };
    const answered = [
      user(marked),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: `file ${marked}` },
    ];
    const requests = [
      { model, tools, messages: answered },
      { model, messages: [user(marked)] },
      { model, tools, tool_choice: 'none', messages: [user(marked)] },
      { model, tools, messages: [{ role: 'system', content: marked }, user('hello')] },
      { model, tools, messages: [user(marked), { role: 'assistant', content: 'ok' }, user('thanks')] },
    ];
    for (const request of requests) {
      const [choice] = (await readJson(await post(fleet, PATH, request))).choices;
      expect(choice.finish_reason).toBe('stop');
      expect(choice.message.content.length).toBeGreaterThan(20);
    }
  });

  it('finds its own call in the cache when the result comes back', async () => {
    const fleet = await testFleet();
    const first = [user(`${WORDS.repeat(20)}${marked}`)];
    const answer = await readJson(await post(fleet, PATH, { model, messages: first, tools }, onRank(0)));
    const { message } = answer.choices[0];
    const results = message.tool_calls.map((call: LooseJson) => ({
      role: 'tool',
      tool_call_id: call.id,
      content: 'ok',
    }));
    const next = { model, messages: [...first, message, ...results], tools };
    const { usage } = await readJson(await post(fleet, PATH, next, onRank(0)));
    expect(usage.prompt_tokens_details.cached_tokens).toBe(Math.floor((answer.usage.total_tokens - 1) / 16) * 16);
  });
});

describe('the rank header on chat', () => {
  const request = { model, messages: [user('hi')], max_tokens: 2 };

  it('takes blanks and a sign, and treats what is no integer as absent', async () => {
    const fleet = await testFleet();
    await post(fleet, PATH, request, onRank(' +3 ')).then((response) => response.text());
    expect(fleet.gauges().map(({ finished }) => finished)).toEqual([0, 0, 0, 1]);
    for (const value of ['two', '', '1.5']) expect((await post(fleet, PATH, request, onRank(value))).status).toBe(200);
  });

  it('answers 400 out of range, or 200 and an error event when streaming', async () => {
    const fleet = await testFleet();
    for (const rank of [4, -1]) {
      const message = `data_parallel_rank ${rank} is out of range [0, 4)`;
      const plain = await post(fleet, PATH, request, onRank(rank));
      expect(plain.status).toBe(400);
      const error = { message, type: 'BadRequestError', param: null, code: 400 };
      expect(await readJson(plain)).toEqual({ error });
      const streamed = await post(fleet, PATH, { ...request, stream: true }, onRank(rank));
      expect(streamed.status).toBe(200);
      const { events, done } = await readStream(streamed);
      expect(events.map(({ data }) => data)).toEqual([{ error }]);
      expect(done).toBe(true);
    }
  });

  it('knows only rank 0 where there is one replica', async () => {
    const fleet = await testFleet({ replicas: 1 });
    expect((await post(fleet, PATH, request, onRank(0))).status).toBe(200);
    expect((await post(fleet, PATH, request, onRank(1))).status).toBe(400);
  });
});

describe('chat errors', () => {
  it('refuses an unknown model with 404', async () => {
    const fleet = await testFleet();
    const response = await post(fleet, PATH, { model: 'gpt-9', messages: [user('hi')] });
    expect(response.status).toBe(404);
    expect((await readJson(response)).error).toMatchObject({ type: 'NotFoundError', code: 404 });
  });

  it('refuses broken JSON, missing fields, another content type and stray stream options with 400', async () => {
    const fleet = await testFleet();
    const broken: [unknown, Record<string, string>][] = [
      ['{"model":', {}],
      [{ model }, {}],
      [{ model, messages: [user('hi')], max_tokens: 0 }, {}],
      [{ model, messages: [user('hi')] }, { 'content-type': 'text/plain' }],
    ];
    for (const [body, headers] of broken) {
      const response = await post(fleet, PATH, body, { headers });
      expect(response.status).toBe(400);
      expect((await readJson(response)).error).toMatchObject({ type: 'Bad Request', code: 400 });
    }
    const options = { model, messages: [user('hi')], stream_options: { include_usage: true } };
    const stray = await post(fleet, PATH, options);
    expect(stray.status).toBe(400);
    expect((await readJson(stray)).error).toMatchObject({ type: 'BadRequestError', param: 'stream_options' });
  });

  it('refuses a prompt that is too long in vLLM’s words, streaming or not', async () => {
    const fleet = await testFleet({ preset: 'a4000x4' });
    for (const stream of [false, true]) {
      const request = { model, messages: [user('x'.repeat(140_000))], stream };
      const response = await post(fleet, PATH, request);
      expect(response.status).toBe(400);
      const { error } = await readJson(response);
      expect(error.type).toBe('BadRequestError');
      expect(error.message).toContain("This model's maximum context length is 32768 tokens.");
    }
    const greedy = await post(fleet, PATH, { model, messages: [user('hi')], max_tokens: 32_769 });
    expect(greedy.status).toBe(400);
    expect((await readJson(greedy)).error.param).toBe('max_tokens');
  });

  it('cuts an answer at the end of the context, as vLLM 0.32 does, where prompt and max_tokens do not fit together', async () => {
    const fleet = await testFleet({ preset: 'a4000x4', speed: 1000 });
    const request = { model, prompt: Array.from({ length: 32_760 }, () => 7), max_tokens: 100, ignore_eos: true };
    const { choices, usage } = await readJson(await post(fleet, '/v1/completions', request));
    expect(choices[0].finish_reason).toBe('length');
    expect(usage).toMatchObject({ prompt_tokens: 32_760, completion_tokens: 8 });
  });
});
