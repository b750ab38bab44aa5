import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SimulatedFleet } from '#server/simulated-fleet/fleet-options.ts';
import { type LooseJson, post, readJson, readStream, testFleet, WORDS } from '#server/simulated-fleet/fleet-testing.ts';
import { createResponseStream } from './response-stream.ts';
import { translatable } from './translatable.ts';
import { translateAnswer } from './translate-answer.ts';

const IDENTITY = { responseId: 'resp_7', createdAt: Date.UTC(2026, 11, 1) };
const model = 'qwen3-4b-dp4';
const tools = [
  { type: 'function', name: 'exec_command', parameters: { type: 'object' } },
  { type: 'namespace', name: 'agents_v1', description: 'd', tools: [{ type: 'function', name: 'spawn_agent' }] },
];
const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });

/** Sends a responses request as a chat completion, and gives the engine's answer translated back. */
async function askThroughChat(fleet: SimulatedFleet, request: object): Promise<Response> {
  const translation = translatable(request);
  if (!translation.ok) throw new Error(translation.reason);
  const { chat, plan } = translation;
  const answer = await post(fleet, '/v1/chat/completions', chat);
  expect(answer.status, plan.isStream ? '' : JSON.stringify(chat)).toBe(200);
  if (!plan.isStream) return Response.json(translateAnswer(plan, await answer.json(), IDENTITY));
  const stream = createResponseStream(plan, IDENTITY);
  const written: Uint8Array[] = [];
  for await (const bytes of answer.body ?? []) written.push(...stream.chunk(bytes));
  written.push(...stream.end());
  return new Response(Buffer.concat(written));
}

/** Fields that are vLLM's own (0.32, all of them empty here) and no client's of OpenAI. */
const ENGINE_FIELDS = new Set([
  'ec_transfer_params',
  'frequency_penalty',
  'input_messages',
  'kv_transfer_params',
  'output_messages',
  'phase',
  'presence_penalty',
]);

/** What must be equal in the two answers: everything but ids, times and what the engine adds of its own. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).filter(([key]) => !ENGINE_FIELDS.has(key));
  const entries = own.map(([key, inner]): [string, unknown] => {
    if (['id', 'item_id', 'call_id', 'created_at'].includes(key)) return [key, typeof inner];
    return [key, key === 'logprobs' ? (inner ?? []) : comparable(inner)];
  });
  return Object.fromEntries(entries);
}

function comparableEvent(data: LooseJson): unknown {
  return comparable('response' in data ? { ...data, response: comparableResponse(data.response) } : data);
}

/** vLLM fills in its sampling defaults and counts tokens per turn; it leaves out three fields of OpenAI's. */
function comparableResponse(response: LooseJson): LooseJson {
  const { temperature, top_p, usage, error, prompt_cache_key, store, ...rest } = response;
  if (usage === null) return { ...rest, usage };
  const {
    input_tokens,
    output_tokens,
    total_tokens,
    input_tokens_details: input,
    output_tokens_details: output,
  } = usage;
  const counts = { cached: input.cached_tokens, reasoning: output.reasoning_tokens };
  return { ...rest, usage: { input_tokens, output_tokens, total_tokens, ...counts } };
}

describe('an answer through chat', () => {
  const requests: [string, object][] = [
    ['a text', { input: WORDS }],
    [
      'a text to instructions and images',
      {
        instructions: 'Be brief.',
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: WORDS },
              { type: 'input_image', image_url: 'data:x' },
            ],
          },
        ],
      },
    ],
    [
      'parallel calls',
      { tools, input: [user('[[tool:exec_command {"cmd":"ls"}]] [[tool:spawn_agent {"task":"look"}]]')] },
    ],
    [
      'a text after calls',
      {
        input: [
          user(WORDS),
          { type: 'function_call', call_id: 'a', name: 'exec_command', arguments: '{"cmd":"ls"}' },
          { type: 'function_call', call_id: 'b', name: 'exec_command', arguments: '{"cmd":"pwd"}' },
          { type: 'function_call_output', call_id: 'a', output: 'README.md' },
          { type: 'function_call_output', call_id: 'b', output: '/' },
        ],
      },
    ],
  ];

  it.each(requests)('has the events that the engine’s own stream of it has: %s', async (_name, request) => {
    const body = { model, store: false, stream: true, ...request };
    const own = await readStream(await post(await testFleet({ seed: 3 }), '/v1/responses', body));
    const translated = await readStream(await askThroughChat(await testFleet({ seed: 3 }), body));
    expect(own.events.length).toBeGreaterThan(8);
    expect(translated.events.map(({ event }) => event)).toEqual(own.events.map(({ event }) => event));
    // The tools stand in another form in the prompt, which then has another length.
    const withoutCounts = (data: unknown) =>
      JSON.parse(JSON.stringify(data, (key, value) => (key === 'usage' && 'tools' in request ? null : value)));
    expect(translated.events.map(({ data }) => withoutCounts(comparableEvent(data)))).toEqual(
      own.events.map(({ data }) => withoutCounts(comparableEvent(data))),
    );
  });

  it('ends a cut answer as the engine does', async () => {
    const body = { model, store: false, stream: true, input: WORDS, max_output_tokens: 20 };
    const own = await readStream(await post(await testFleet(), '/v1/responses', body));
    const translated = await readStream(await askThroughChat(await testFleet(), body));
    expect(translated.events.map(({ event }) => event)).toEqual(own.events.map(({ event }) => event));
    for (const { events } of [own, translated]) {
      expect(events.at(-1)?.data.response).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        usage: { output_tokens: 20 },
      });
    }
  });

  it.each(requests)('is the engine’s own where nothing is streamed: %s', async (_name, request) => {
    const body = { model, store: false, ...request };
    const own = await readJson(await post(await testFleet({ seed: 3 }), '/v1/responses', body));
    const translated = await readJson(await askThroughChat(await testFleet({ seed: 3 }), body));
    const usage = 'tools' in request ? { usage: null } : {};
    expect(comparable(comparableResponse({ ...translated, ...usage }))).toEqual(
      comparable(comparableResponse({ ...own, ...usage })),
    );
  });

  it('tells of a rank that there is not as a failed response', async () => {
    const translation = translatable({ model, store: false, stream: true, input: WORDS });
    if (!translation.ok) throw new Error(translation.reason);
    const fleet = await testFleet();
    const answer = await post(fleet, '/v1/chat/completions', translation.chat, {
      headers: { 'x-data-parallel-rank': '9' },
    });
    const stream = createResponseStream(translation.plan, IDENTITY);
    const written = stream.chunk(new Uint8Array(await answer.arrayBuffer()));
    const { events } = await readStream(new Response(Buffer.concat(written)));
    expect(events.map(({ event }) => event)).toEqual(['response.created', 'response.in_progress', 'response.failed']);
    expect(events.at(-1)?.data.response.error).toMatchObject({
      code: 'invalid_prompt',
      message: expect.stringContaining('9'),
    });
  });
});

describe('recorded clients', () => {
  const recording = z.object({
    requests: z.array(
      z.object({ path: z.string(), headers: z.record(z.string(), z.string()), body: z.looseObject({}) }),
    ),
  });
  const finalUsage = z.object({
    input_tokens: z.number(),
    input_tokens_details: z.object({ cached_tokens: z.number() }),
  });

  it.each(['codex-0.171.0-responses', 'codex-0.171.0-subagent', 'pi-1.6.0-responses'])(
    '%s: the engine takes every turn, and has the last one of the thread in its cache',
    async (name) => {
      const file = new URL(`../../fixtures/clients/${name}.json`, import.meta.url);
      const { requests } = recording.parse(JSON.parse(readFileSync(file, 'utf8')));
      const fleet = await testFleet({ replicas: 1, speed: 500 });
      const lastPrompt = new Map<string, number>();
      let continued = 0;
      for (const { path, headers, body } of requests) {
        if (path !== '/v1/responses') continue;
        const { events } = await readStream(await askThroughChat(fleet, { ...body, model: fleet.servedModelName }));
        expect(events.at(-1)?.event).toBe('response.completed');
        const usage = finalUsage.parse(events.at(-1)?.data.response.usage);
        const thread = headers['thread-id'] ?? headers['session-id'] ?? '';
        const before = lastPrompt.get(thread);
        if (before !== undefined) {
          continued += 1;
          expect(usage.input_tokens_details.cached_tokens).toBeGreaterThanOrEqual(before - 32);
        }
        lastPrompt.set(thread, usage.input_tokens);
      }
      expect(continued).toBeGreaterThan(0);
    },
  );

  it('finds its own answer in the cache as well, once a client sends it back', async () => {
    const fleet = await testFleet({ replicas: 1 });
    const first = {
      model,
      store: false,
      stream: true,
      tools,
      input: [user(`${WORDS.repeat(20)}[[tool:exec_command {"cmd": "ls"}]]`)],
    };
    const { events } = await readStream(await askThroughChat(fleet, first));
    const { output, usage } = events.at(-1)?.data.response ?? {};
    const result = { type: 'function_call_output', call_id: output[0].call_id, output: 'README.md' };
    const next = { ...first, stream: false, input: [...first.input, ...output, result] };
    const answer = await readJson(await askThroughChat(fleet, next));
    expect(answer.output[0].type).toBe('message');
    expect(answer.usage.input_tokens_details.cached_tokens).toBe(Math.floor((usage.total_tokens - 1) / 16) * 16);
  });
});
