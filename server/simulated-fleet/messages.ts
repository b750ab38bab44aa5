import type { Emission } from '#lib/simulation/answer.ts';
import { checkModel, type Exchange, readBody } from './exchange.ts';
import { type GeneratedToken, generate, type PlannedGeneration, planGeneration } from './generation.ts';
import { countTokensBody, messagesBody, readMessages } from './messages-request.ts';
import { rankProblem, requestedRank } from './rank-header.ts';
import { anthropicErrorBody, badRequest } from './refusal.ts';
import { type EventStream, sendAnswer, sendJson, startEventStream } from './reply.ts';
import { randomId, responseId } from './response-id.ts';
import { anthropicUsage } from './usage.ts';

/** `POST /v1/messages`. */
export async function answerMessages(exchange: Exchange): Promise<void> {
  const body = await readBody(exchange, messagesBody);
  checkModel(exchange, body.model);
  const planned = planGeneration(exchange.engine, {
    ...readMessages(body),
    maxTokens: body.max_tokens,
    minTokens: 0,
    ignoreEos: false,
  });
  await (body.stream === true ? streamMessage(exchange, planned) : sendMessage(exchange, planned));
}

/** `POST /v1/messages/count_tokens`: no replica is involved. */
export async function answerCountTokens(exchange: Exchange): Promise<void> {
  const body = await readBody(exchange, countTokensBody);
  checkModel(exchange, body.model);
  const { length } = readMessages(body).prompt;
  sendJson(exchange.response, 200, {
    input_tokens: length,
    context_management: { original_input_tokens: length },
  });
}

async function sendMessage(exchange: Exchange, planned: PlannedGeneration): Promise<void> {
  const pin = requestedRank(exchange);
  const problem = rankProblem(exchange, pin);
  if (problem !== null) throw badRequest(problem);
  const blocks: ({ type: 'text'; text: string } | { type: 'tool_use'; name: string; input: string })[] = [];
  let stopReason = 'end_turn';
  const usage = await generate(exchange, planned, pin, ({ emission, finish }) => {
    const last = blocks.at(-1);
    if (emission?.kind === 'call') blocks.push({ type: 'tool_use', name: emission.name, input: '' });
    else if (emission?.kind === 'input' && last?.type === 'tool_use') last.input += emission.text;
    else if (emission?.kind === 'text' && last?.type === 'text') last.text += emission.text;
    else if (emission?.kind === 'text') blocks.push({ type: 'text', text: emission.text });
    if (finish !== null) stopReason = anthropicStopReason(finish, blocks.at(-1)?.type === 'tool_use');
  });
  if (usage === null) return;
  sendAnswer(exchange, {
    ...messageHead(exchange),
    content: blocks.map((block) => (block.type === 'text' ? block : toolUse(block.name, parseInput(block.input)))),
    stop_reason: stopReason,
    usage: anthropicUsage(usage, exchange.engine.settings),
  });
}

async function streamMessage(exchange: Exchange, planned: PlannedGeneration): Promise<void> {
  const stream = startEventStream(exchange);
  const send = (type: string, body: object) => stream.send({ type, ...body }, type);
  const pin = requestedRank(exchange);
  if (rankProblem(exchange, pin) !== null) {
    // vLLM feeds its own chat stream to a parser that does not expect an error there: the reason is lost.
    const message = '1 validation error for ChatCompletionStreamResponse';
    stream.send(anthropicErrorBody('internal_error', message), 'error');
    stream.end();
    return;
  }
  const blocks = new BlockEvents(stream);
  const usage = await generate(exchange, planned, pin, (token) => {
    if (token.usage.completionTokens === 1) {
      const counts = { output_tokens: 0, input_tokens: token.usage.promptTokens };
      const message = { ...messageHead(exchange), content: [], stop_reason: null, stop_sequence: null, usage: counts };
      send('message_start', { message });
    }
    if (token.emission !== null) blocks.add(token.emission);
    if (token.finish !== null) finishMessage(exchange, token, blocks, send);
  });
  if (usage !== null) stream.end();
}

function finishMessage(
  exchange: Exchange,
  token: GeneratedToken,
  blocks: BlockEvents,
  send: (type: string, body: object) => void,
): void {
  blocks.close();
  const stopReason = anthropicStopReason(token.finish ?? 'stop', blocks.hasCalls);
  const usage = anthropicUsage(token.usage, exchange.engine.settings);
  send('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage });
  send('message_stop', {});
}

/** Turns emissions into the events of numbered content blocks, each opened and closed once. */
class BlockEvents {
  hasCalls = false;
  private readonly stream: EventStream;
  private index = -1;
  private open: 'text' | 'tool_use' | null = null;

  constructor(stream: EventStream) {
    this.stream = stream;
  }

  add(emission: Emission): void {
    switch (emission.kind) {
      case 'text':
        if (this.open !== 'text') this.start('text', { type: 'text', text: '' });
        this.delta({ type: 'text_delta', text: emission.text });
        return;
      case 'call':
        this.hasCalls = true;
        this.start('tool_use', toolUse(emission.name, {}));
        return;
      case 'input':
        this.delta({ type: 'input_json_delta', partial_json: emission.text });
    }
  }

  close(): void {
    if (this.open !== null) this.send('content_block_stop', {});
    this.open = null;
  }

  private start(type: 'text' | 'tool_use', block: object): void {
    this.close();
    this.open = type;
    this.index += 1;
    this.send('content_block_start', { content_block: block });
  }

  private delta(delta: object): void {
    this.send('content_block_delta', { delta });
  }

  private send(type: string, body: object): void {
    this.stream.send({ type, ...body, index: this.index }, type);
  }
}

function messageHead(exchange: Exchange): object {
  const model = exchange.engine.settings.servedModelName;
  return { id: responseId(exchange, 'chatcmpl-'), type: 'message', role: 'assistant', model };
}

function toolUse(name: string, input: unknown): object {
  return { type: 'tool_use', id: `chatcmpl-tool-${randomId()}`, name, input };
}

function anthropicStopReason(finish: 'stop' | 'length', hasCalls: boolean): string {
  if (finish === 'length') return 'max_tokens';
  return hasCalls ? 'tool_use' : 'end_turn';
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Cut off by max_tokens.
    return {};
  }
}
