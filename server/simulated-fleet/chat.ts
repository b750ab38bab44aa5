import { type ChatBody, chatBody, checkStreamOptions, readChat } from './chat-request.ts';
import { checkModel, type Exchange, readBody } from './exchange.ts';
import { type GeneratedToken, generate, type PlannedGeneration, planGeneration } from './generation.ts';
import { rankProblem, requestedRank } from './rank-header.ts';
import { badRequest, openAiErrorBody } from './refusal.ts';
import { sendAnswer, startEventStream } from './reply.ts';
import { randomId, responseId, systemFingerprint } from './response-id.ts';
import { openAiUsage, plainUsage, streamedUsage } from './usage.ts';

/** `POST /v1/chat/completions`. */
export async function answerChat(exchange: Exchange): Promise<void> {
  const body = await readBody(exchange, chatBody);
  checkModel(exchange, body.model);
  checkStreamOptions(body);
  const planned = planGeneration(exchange.engine, {
    ...readChat(body),
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    minTokens: body.min_tokens ?? 0,
    ignoreEos: body.ignore_eos ?? false,
  });
  await (body.stream === true ? streamChat(exchange, planned, body) : sendChat(exchange, planned));
}

async function sendChat(exchange: Exchange, planned: PlannedGeneration): Promise<void> {
  const pin = requestedRank(exchange);
  const problem = rankProblem(exchange, pin);
  if (problem !== null) throw badRequest(problem);
  const collected = new ChatMessage();
  const usage = await generate(exchange, planned, pin, (token) => collected.add(token));
  if (usage === null) return;
  const { content, calls } = collected;
  const message = { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  sendAnswer(exchange, {
    ...chatHead(exchange, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { ...message, refusal: null, annotations: null, audio: null, function_call: null, reasoning: null },
        logprobs: null,
        finish_reason: collected.finishReason,
        stop_reason: null,
        token_ids: null,
        routed_experts: null,
      },
    ],
    service_tier: null,
    system_fingerprint: systemFingerprint(exchange),
    usage: openAiUsage(usage, exchange.engine.settings),
    prompt_logprobs: null,
    prompt_token_ids: null,
    prompt_text: null,
    kv_transfer_params: null,
    ec_transfer_params: null,
    metrics: null,
  });
}

async function streamChat(exchange: Exchange, planned: PlannedGeneration, body: ChatBody): Promise<void> {
  const stream = startEventStream(exchange);
  const pin = requestedRank(exchange);
  const problem = rankProblem(exchange, pin);
  if (problem !== null) {
    stream.send(openAiErrorBody('BadRequestError', problem, 400));
    stream.done();
    stream.end();
    return;
  }
  const head = chatHead(exchange, 'chat.completion.chunk');
  const isCounting = body.stream_options?.continuous_usage_stats === true;
  const asksUsage = body.stream_options?.include_usage === true;
  const fingerprint = { system_fingerprint: systemFingerprint(exchange) };
  let hasCalls = false;
  const usage = await generate(exchange, planned, pin, (token) => {
    const counted = isCounting ? { usage: plainUsage(token.usage) } : {};
    const send = (delta: object, finishReason: string | null, more: object, beside: object = {}) =>
      stream.send({
        ...head,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason, ...more }],
        ...beside,
        ...counted,
      });
    const prompt = { prompt_token_ids: null, prompt_text: null };
    if (token.usage.completionTokens === 1) send({ role: 'assistant', content: '' }, null, {}, prompt);
    if (token.emission?.kind === 'call') hasCalls = true;
    const delta = tokenDelta(token);
    if (token.finish !== null) {
      const reason = hasCalls && token.finish === 'stop' ? 'tool_calls' : token.finish;
      const last = { stop_reason: null, token_ids: null };
      // It stands in the last chunk: this one, or that with the usage.
      send(delta ?? { content: '' }, reason, last, asksUsage ? {} : fingerprint);
    } else if (delta !== null) {
      send(delta, null, { token_ids: null });
    }
  });
  if (usage === null) return;
  if (asksUsage) {
    stream.send({ ...head, choices: [], usage: streamedUsage(usage, exchange.engine.settings), ...fingerprint });
  }
  stream.done();
  stream.end();
}

function chatHead(exchange: Exchange, object: string): object {
  return {
    id: responseId(exchange, 'chatcmpl-'),
    object,
    created: Math.floor(Date.now() / 1000),
    model: exchange.engine.settings.servedModelName,
  };
}

function tokenDelta({ emission }: GeneratedToken): object | null {
  switch (emission?.kind) {
    case undefined:
      return null;
    case 'text':
      return { content: emission.text };
    case 'call':
      return {
        tool_calls: [
          {
            id: `chatcmpl-tool-${randomId()}`,
            type: 'function',
            index: emission.call,
            function: { name: emission.name, arguments: '' },
          },
        ],
      };
    case 'input':
      return { tool_calls: [{ index: emission.call, function: { arguments: emission.text } }] };
  }
}

/** The answer of a request that does not stream, put together token by token. */
class ChatMessage {
  readonly calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = [];
  finishReason = 'stop';
  private text = '';

  get content(): string | null {
    return this.text === '' && this.calls.length > 0 ? null : this.text;
  }

  add({ emission, finish }: GeneratedToken): void {
    if (emission?.kind === 'text') this.text += emission.text;
    if (emission?.kind === 'call') {
      const id = `chatcmpl-tool-${randomId()}`;
      this.calls.push({ id, type: 'function', function: { name: emission.name, arguments: '' } });
    }
    if (emission?.kind === 'input') {
      const call = this.calls[emission.call];
      if (call) call.function.arguments += emission.text;
    }
    if (finish !== null) this.finishReason = finish === 'stop' && this.calls.length > 0 ? 'tool_calls' : finish;
  }
}
