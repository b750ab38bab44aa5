import { checkModel, type Exchange, readBody } from './exchange.ts';
import { generate, type PlannedGeneration, planGeneration } from './generation.ts';
import { Refusal } from './refusal.ts';
import { sendAnswer, startEventStream } from './reply.ts';
import { randomId } from './response-id.ts';
import { ResponseItems } from './response-items.ts';
import { type ResponsesBody, readResponses, responsesBody, toolNamespace } from './responses-request.ts';
import { responsesUsage, type Usage } from './usage.ts';

/** `POST /v1/responses`. The rank header has no effect here: the engine's balancer always chooses. */
export async function answerResponses(exchange: Exchange): Promise<void> {
  const body = await readBody(exchange, responsesBody);
  checkModel(exchange, body.model);
  if (body.previous_response_id) throw unknownResponse(body.previous_response_id);
  const planned = planGeneration(exchange.engine, {
    ...readResponses(body),
    maxTokens: body.max_output_tokens ?? null,
    maxTokensName: 'max_output_tokens',
    minTokens: 0,
    ignoreEos: false,
  });
  await (body.stream === true ? streamResponse(exchange, planned, body) : sendResponse(exchange, planned, body));
}

async function sendResponse(exchange: Exchange, planned: PlannedGeneration, body: ResponsesBody): Promise<void> {
  const items = new ResponseItems({ namespaceOf: (name) => toolNamespace(body, name), onEvent: () => {} });
  let finish: 'stop' | 'length' = 'stop';
  const usage = await generate(exchange, planned, null, (token) => {
    if (token.emission !== null) items.add(token.emission);
    finish = token.finish ?? finish;
  });
  if (usage === null) return;
  items.close();
  sendAnswer(exchange, responseObject(exchange, body, { id: newId(), items, finish, usage }));
}

async function streamResponse(exchange: Exchange, planned: PlannedGeneration, body: ResponsesBody): Promise<void> {
  const stream = startEventStream(exchange);
  let sequence = 0;
  const send = (type: string, fields: object) => stream.send({ type, sequence_number: sequence++, ...fields }, type);
  const items = new ResponseItems({ namespaceOf: (name) => toolNamespace(body, name), onEvent: send });
  const id = newId();
  let finish: 'stop' | 'length' = 'stop';
  const opening = responseObject(exchange, body, { id, items, finish: null, usage: null });
  const usage = await generate(exchange, planned, null, (token) => {
    if (token.usage.completionTokens === 1) {
      send('response.created', { response: opening });
      send('response.in_progress', { response: opening });
    }
    if (token.emission !== null) items.add(token.emission);
    finish = token.finish ?? finish;
  });
  if (usage === null) return;
  items.close();
  send('response.completed', { response: responseObject(exchange, body, { id, items, finish, usage }) });
  stream.end();
}

type ResponseState = {
  readonly id: string;
  readonly items: ResponseItems;
  /** null while it is in progress. */
  readonly finish: 'stop' | 'length' | null;
  readonly usage: Usage | null;
};

function responseObject(exchange: Exchange, body: ResponsesBody, state: ResponseState): object {
  const finished = state.finish === 'length' ? 'incomplete' : 'completed';
  return {
    id: state.id,
    created_at: Math.floor(Date.now() / 1000),
    incomplete_details: state.finish === 'length' ? { reason: 'max_output_tokens' } : null,
    instructions: body.instructions ?? null,
    metadata: null,
    model: exchange.engine.settings.servedModelName,
    object: 'response',
    output: state.finish === null ? [] : state.items.output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    temperature: 0.7,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: 0.8,
    background: false,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: null,
    previous_response_id: null,
    prompt: null,
    reasoning: null,
    service_tier: 'auto',
    status: state.finish === null ? 'in_progress' : finished,
    text: null,
    top_logprobs: null,
    truncation: 'disabled',
    usage: state.usage === null ? null : responsesUsage(state.usage, exchange.engine.settings),
    user: null,
    presence_penalty: 0,
    frequency_penalty: 0,
    kv_transfer_params: null,
    ec_transfer_params: null,
    input_messages: null,
    output_messages: null,
  };
}

function newId(): string {
  return `resp_${randomId()}`;
}

function unknownResponse(id: string): Refusal {
  return new Refusal({ status: 404, type: 'NotFoundError', message: `Response with id '${id}' not found.` });
}
