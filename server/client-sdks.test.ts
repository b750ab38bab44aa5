import { randomUUID } from 'node:crypto';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const model = TEST_MODEL;
const marked = 'Please list the files. [[tool:Bash {"command":"ls -l"}]]';

let fleet: SimulatedFleet;
let warden: TestWarden;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  fleet = await startSimulatedFleet({ speed: 20 });
  warden = await startTestWarden({ fleets: [fleet], model: { aliases: ['claude-*'] } });
  openai = new OpenAI({ baseURL: `${warden.url}/v1`, apiKey: 'none', maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: warden.url, apiKey: 'none', maxRetries: 0 });
});
afterAll(async () => {
  await warden.close();
  await fleet.close();
});

const aborted = (): number => fleet.gauges().reduce((sum, gauge) => sum + gauge.aborted, 0);

/** What an abort has to lead to: nothing in flight, and the engine's work ended. */
async function expectAborted(before: number): Promise<void> {
  await eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(0));
  await eventually(() => expect(aborted()).toBe(before + 1));
}

describe('the openai package', () => {
  const bash = { type: 'function', function: { name: 'Bash', parameters: { type: 'object' } } } as const;

  it('streams a chat without usage, every chunk with a choice to index, and the request is measured', async () => {
    const id = randomUUID();
    const stream = await openai.chat.completions.create(
      { model, stream: true, max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] },
      { headers: { 'x-request-id': id } },
    );
    let text = '';
    for await (const chunk of stream) {
      expect(chunk.choices).toHaveLength(1);
      expect(chunk.usage).toBeUndefined();
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text.length).toBeGreaterThan(10);
    const row = await eventually(async () => {
      const found = (await warden.requests()).find((request) => request.id === id);
      if (found === undefined) throw new Error('no row yet');
      return found;
    });
    expect(row.completion_tokens).toBeGreaterThan(0);
    expect(row.cached_tokens).not.toBeNull();
  });

  it('gets its usage chunk where it asks for it', async () => {
    const stream = openai.chat.completions.stream({
      model,
      max_tokens: 5,
      messages: [{ role: 'user', content: 'hello' }],
      stream_options: { include_usage: true },
    });
    expect((await stream.finalChatCompletion()).usage?.completion_tokens).toBeGreaterThan(0);
  });

  it('carries a tool loop: a call in the stream, its result in the next turn, both on one replica', async () => {
    const headers = { 'x-session-id': randomUUID() };
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: marked }];
    const first = openai.chat.completions.stream({ model, messages, tools: [bash] }, { headers });
    const { message } = (await first.finalChatCompletion()).choices[0] ?? {};
    const call = message?.tool_calls?.[0];
    expect(call).toMatchObject({ function: { name: 'Bash', arguments: '{"command":"ls -l"}' } });
    if (message === undefined || call === undefined) throw new Error('no tool call');
    messages.push(message, { role: 'tool', tool_call_id: call.id, content: 'a.txt' });
    const second = await openai.chat.completions
      .create({ model, messages, tools: [bash], max_tokens: 20 }, { headers })
      .withResponse();
    expect(second.data.choices[0]?.message.content?.length).toBeGreaterThan(0);
    expect(second.response.headers.get('x-warden-decision')).toBe('sticky');
    expect(second.data.usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(0);
  });

  it('aborts in the middle of a stream', async () => {
    const before = aborted();
    const stream = await openai.chat.completions.create({
      model,
      stream: true,
      max_tokens: 100_000,
      messages: [{ role: 'user', content: 'for ever' }],
    });
    for await (const _chunk of stream) break;
    await expectAborted(before);
  });

  it('aborts a request without streaming', async () => {
    const before = aborted();
    const leaving = new AbortController();
    const answer = openai.chat.completions.create(
      { model, max_tokens: 100_000, messages: [{ role: 'user', content: 'for ever' }] },
      { signal: leaving.signal },
    );
    await eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(1));
    leaving.abort();
    await expect(answer).rejects.toThrow(OpenAI.APIUserAbortError);
    await expectAborted(before);
  });

  it('streams completions and responses, and a call in a response', async () => {
    let text = '';
    const stream = await openai.completions.create({ model, prompt: 'once', stream: true, max_tokens: 10 });
    for await (const chunk of stream) text += chunk.choices[0]?.text;
    expect(text.length).toBeGreaterThan(5);
    const tools = [{ type: 'function', name: 'Bash', parameters: { type: 'object' }, strict: false }] as const;
    const response = await openai.responses.stream({ model, input: marked, tools: [...tools] }).finalResponse();
    expect(response.output[0]).toMatchObject({ type: 'function_call', arguments: '{"command":"ls -l"}' });
  });

  it('embeds, lists models, and reads our errors and the engine’s as its own', async () => {
    expect((await openai.models.list()).data[0]?.id).toBe(model);
    expect((await openai.embeddings.create({ model, input: 'x', encoding_format: 'float' })).data).toHaveLength(1);
    const ask = (name: string, max_tokens: number) =>
      openai.chat.completions.create({ model: name, max_tokens, messages: [{ role: 'user', content: 'x' }] });
    await expect(ask('gpt-none', 5)).rejects.toThrow(OpenAI.NotFoundError);
    await expect(ask('gpt-none', 5)).rejects.toMatchObject({ code: 'model_not_found', param: 'model' });
    await expect(ask(model, 10_000_000)).rejects.toThrow(OpenAI.BadRequestError);
  });
});

describe('the @anthropic-ai/sdk package', () => {
  const bash: Anthropic.Tool = { name: 'Bash', input_schema: { type: 'object' } };

  it('carries a tool loop over /v1/messages?beta=true, with thinking, images and cache marks passed on', async () => {
    const options = { headers: { 'x-claude-code-session-id': randomUUID() } };
    const messages: Anthropic.Beta.BetaMessageParam[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: marked, cache_control: { type: 'ephemeral' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
    ];
    const ask = () =>
      anthropic.beta.messages.stream(
        {
          model: 'claude-sonnet-5',
          max_tokens: 500,
          messages,
          tools: [bash],
          betas: ['interleaved-thinking-2025-05-14'],
        },
        options,
      );
    const first = await ask().finalMessage();
    expect(first.stop_reason).toBe('tool_use');
    const call = first.content.find((block) => block.type === 'tool_use');
    if (call === undefined) throw new Error('no tool call');
    expect(call).toMatchObject({ name: 'Bash', input: { command: 'ls -l' } });
    messages.push(
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'a.txt' }] },
    );
    const second = ask();
    const { response } = await second.withResponse();
    expect((await second.finalMessage()).stop_reason).toBe('end_turn');
    expect(response.headers.get('x-warden-decision')).toBe('sticky');
  });

  it('aborts in the middle of a stream', async () => {
    const before = aborted();
    const stream = anthropic.messages.stream({
      model,
      max_tokens: 100_000,
      messages: [{ role: 'user', content: 'for ever' }],
    });
    await new Promise((resolve) => stream.once('text', resolve));
    stream.abort();
    await expect(stream.done()).rejects.toThrow(Anthropic.APIUserAbortError);
    await expectAborted(before);
  });

  it('counts tokens, lists models, and reads our errors and the engine’s as its own', async () => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'x' }];
    expect((await anthropic.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0);
    expect((await anthropic.models.list()).data[0]?.id).toBe(model);
    const ask = (name: string, max_tokens: number) => anthropic.messages.create({ model: name, max_tokens, messages });
    await expect(ask('none', 5)).rejects.toThrow(Anthropic.NotFoundError);
    await expect(ask(model, 10_000)).resolves.toMatchObject({ type: 'message' });
    const tooLong = anthropic.messages.stream({ model, max_tokens: 999_999, messages });
    await expect(tooLong.finalMessage()).rejects.toThrow(Anthropic.BadRequestError);
  });
});
