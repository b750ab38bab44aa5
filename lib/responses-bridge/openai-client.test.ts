import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import OpenAI from 'openai';
import { accumulateResponse } from 'openai/lib/responses/ResponseAccumulator';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createResponseStream } from './response-stream.ts';
import { translatable } from './translatable.ts';
import { translateAnswer } from './translate-answer.ts';

const IDENTITY = { responseId: 'resp_7', createdAt: Date.UTC(2026, 11, 1) };

/** OpenAI's client in front of a server that answers responses requests out of the given chat answer. */
async function clientOf(answer: string | object): Promise<OpenAI> {
  const server = createServer(async (request, response) => {
    const translation = translatable(await json(request));
    if (!translation.ok) {
      response.writeHead(400).end(JSON.stringify({ error: { message: translation.reason } }));
      return;
    }
    const { plan } = translation;
    if (typeof answer !== 'string') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(translateAnswer(plan, answer, IDENTITY)));
      return;
    }
    const stream = createResponseStream(plan, IDENTITY);
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    const bytes = new TextEncoder().encode(answer);
    for (let at = 0; at < bytes.length; at += 50) {
      for (const written of stream.chunk(bytes.subarray(at, at + 50))) response.write(written);
    }
    for (const written of stream.end()) response.write(written);
    if (stream.outcome() === 'open') response.destroy();
    else response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  return new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none', maxRetries: 0 });
}

const chunk = (delta: object | null, finish: string | null = null, more: object = {}) => ({
  model: 'served',
  choices: delta === null ? [] : [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
const callChunk = (index: number, call: object) => chunk({ tool_calls: [{ index, ...call }] });
const sse = (chunks: readonly object[], done = 'data: [DONE]\n\n') =>
  chunks.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('') + done;
const USAGE = {
  usage: { prompt_tokens: 50, completion_tokens: 8, total_tokens: 58, prompt_tokens_details: { cached_tokens: 48 } },
};

const tools = [
  { type: 'function', name: 'read', parameters: { type: 'object' }, strict: false },
  { type: 'custom', name: 'patch', description: 'd' },
] as const;
const request = { model: 'm', input: 'hi', store: false, tools: [...tools] };

const WHOLE = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ reasoning: 'Let me ' }),
  chunk({ reasoning: 'think.' }),
  chunk({ content: '\n\n' }),
  chunk({ content: 'I look ' }),
  chunk({ content: 'at both.' }),
  callChunk(0, { id: 'a', type: 'function', function: { name: 'read', arguments: '' } }),
  callChunk(0, { function: { arguments: '{"path":' } }),
  callChunk(0, { function: { arguments: '"README.md"}' } }),
  callChunk(1, { id: 'b', type: 'function', function: { name: 'patch', arguments: '{"input":"*** ' } }),
  callChunk(1, { function: { arguments: 'Begin"}' } }),
  chunk({ content: '' }, 'tool_calls'),
  chunk(null, null, USAGE),
];
const OUTPUT = [
  { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Let me think.' }] },
  { type: 'message', content: [{ type: 'output_text', text: '\n\nI look at both.' }] },
  { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"README.md"}' },
  { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: '*** Begin' },
];

describe('OpenAI’s client', () => {
  it('has put together from the events before the last one what that one says', async () => {
    const client = await clientOf(sse(WHOLE));
    let response: Response | undefined;
    let last: ResponseStreamEvent | undefined;
    for await (const event of await client.responses.create({ ...request, stream: true })) {
      if (last !== undefined) response = accumulateResponse(last, response);
      last = event;
    }
    expect(response?.output).toMatchObject(OUTPUT);
    if (last?.type !== 'response.completed') throw new Error(`the last event is ${last?.type}`);
    expect(response?.output).toEqual(last.response.output);
    expect(last.response.usage).toMatchObject({ input_tokens: 50, input_tokens_details: { cached_tokens: 48 } });
  });

  it('shows text and arguments as they come', async () => {
    const client = await clientOf(sse(WHOLE));
    const shown: string[] = [];
    const stream = client.responses.stream(request);
    stream.on('response.output_text.delta', ({ snapshot }) => shown.push(snapshot));
    stream.on('response.function_call_arguments.delta', ({ snapshot }) => shown.push(snapshot));
    const response = await stream.finalResponse();
    expect(response.output).toMatchObject(OUTPUT);
    expect(response.output_text).toBe('\n\nI look at both.');
    expect(shown).toEqual(['\n\nI look ', '\n\nI look at both.', '{"path":', '{"path":"README.md"}']);
  });

  it('reads a whole answer as it reads the stream of it', async () => {
    const message = {
      role: 'assistant',
      content: '\n\nI look at both.',
      reasoning: 'Let me think.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"README.md"}' } },
        { id: 'b', type: 'function', function: { name: 'patch', arguments: '{"input":"*** Begin"}' } },
      ],
    };
    const client = await clientOf({ model: 'served', choices: [{ message, finish_reason: 'tool_calls' }], ...USAGE });
    const response = await client.responses.parse(request);
    const streaming = await clientOf(sse(WHOLE));
    expect({ ...response }).toEqual({ ...(await streaming.responses.stream(request).finalResponse()) });
  });

  it('parses an answer that was asked for in a form', async () => {
    const client = await clientOf(sse([chunk({ content: '{"a":' }), chunk({ content: '1}' }, 'stop')]));
    const format = { type: 'json_schema', name: 'answer', schema: { type: 'object' } } as const;
    const stream = client.responses.stream({ model: 'm', input: 'hi', store: false, text: { format } });
    expect((await stream.finalResponse()).output_text).toBe('{"a":1}');
  });

  it.each([
    ['incomplete', sse([chunk({ content: 'Hel' }, 'length')])],
    ['failed', sse([chunk({ content: 'Hel' }), { error: { message: 'boom', code: 500 } }])],
  ])('sees that a response is %s', async (status, answer) => {
    const client = await clientOf(answer);
    const response = await client.responses.stream(request).finalResponse();
    expect(response.status).toBe(status);
  });

  it('sees a stream that was cut off as an error', async () => {
    const client = await clientOf(sse([chunk({ content: 'Hel' })], ''));
    await expect(client.responses.stream(request).finalResponse()).rejects.toThrow();
  });
});

describe('an answer that is no chat completion', () => {
  it.each([[null], ['text'], [{ choices: [] }], [{ choices: [{ message: { tool_calls: [{ id: 'a' }] } }] }]])(
    'is not translated: %j',
    (answer) => {
      const translation = translatable(request);
      if (!translation.ok) throw new Error(translation.reason);
      expect(translateAnswer(translation.plan, answer, IDENTITY)).toBeNull();
    },
  );

  it('is a failed response where the engine aborted it', () => {
    const translation = translatable(request);
    if (!translation.ok) throw new Error(translation.reason);
    const answer = { choices: [{ message: { content: 'Hel' }, finish_reason: 'abort' }] };
    expect(translateAnswer(translation.plan, answer, IDENTITY)).toMatchObject({
      status: 'failed',
      error: { code: 'server_error' },
    });
  });
});
