import { answerChat } from './chat.ts';
import { answerCompletion } from './completions.ts';
import { answerEmbeddings } from './embeddings.ts';
import type { Exchange } from './exchange.ts';
import { type ArmedFault, failInstead } from './faults.ts';
import { answerCountTokens, answerMessages } from './messages.ts';
import { metricsText } from './metrics-text.ts';
import { listModels } from './model-list.ts';
import { type ErrorShape, errorBody, Refusal } from './refusal.ts';
import { sendJson } from './reply.ts';
import { answerResponses } from './responses.ts';
import { answerDetokenize, answerTokenize } from './tokenize.ts';

type Route = {
  readonly method: 'GET' | 'POST';
  readonly shape: ErrorShape;
  /** Whether it generates, and so can meet a fault. */
  readonly generates: boolean;
  readonly answer: (exchange: Exchange) => Promise<void> | void;
};

const get = (answer: Route['answer']): Route => ({ method: 'GET', shape: 'openai', generates: false, answer });
const post = (answer: Route['answer'], shape: ErrorShape = 'openai'): Route => ({
  method: 'POST',
  shape,
  generates: false,
  answer,
});
const generating = (answer: Route['answer'], shape: ErrorShape = 'openai'): Route => ({
  ...post(answer, shape),
  generates: true,
});

const ROUTES: ReadonlyMap<string, Route> = new Map([
  ['/health', get(({ response }) => void response.writeHead(200, { 'content-length': 0 }).end())],
  ['/version', get(answerVersion)],
  ['/metrics', get(answerMetrics)],
  ['/server_info', get(answerServerInfo)],
  ['/v1/models', get(listModels)],
  ['/v1/chat/completions', generating(answerChat)],
  ['/v1/completions', generating(answerCompletion)],
  ['/v1/messages', generating(answerMessages, 'anthropic')],
  ['/v1/messages/count_tokens', post(answerCountTokens, 'anthropic')],
  ['/v1/responses', generating(answerResponses)],
  ['/v1/embeddings', post(answerEmbeddings)],
  ['/tokenize', post(answerTokenize)],
  ['/detokenize', post(answerDetokenize)],
]);

/** Finds the route of a request and answers it, or fails as armed; every refusal becomes its error body here. */
export async function answer(incoming: Omit<Exchange, 'fault'>, faults: ArmedFault): Promise<void> {
  const { request, response } = incoming;
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (path.startsWith('/v1/') && !isAuthorized(incoming)) {
    sendJson(response, 401, { error: 'Unauthorized' });
    return;
  }
  const route = ROUTES.get(path);
  if (route === undefined) {
    sendJson(response, 404, { detail: 'Not Found' });
    return;
  }
  if (request.method !== route.method) {
    sendJson(response, 405, { detail: 'Method Not Allowed' });
    return;
  }
  try {
    const exchange: Exchange = { ...incoming, fault: route.generates ? faults.take() : null };
    if (!failInstead(exchange)) await route.answer(exchange);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    sendJson(response, error.status, errorBody(error, route.shape));
  }
}

function isAuthorized({ engine, request }: Omit<Exchange, 'fault'>): boolean {
  const { apiKey } = engine.settings;
  return apiKey === null || request.headers.authorization === `Bearer ${apiKey}`;
}

function answerVersion({ engine, response }: Exchange): void {
  sendJson(response, 200, { version: engine.settings.version, simulated: true });
}

function answerServerInfo({ engine, response }: Exchange): void {
  const { devMode, profile } = engine.settings;
  if (!devMode) sendJson(response, 404, { detail: 'Not Found' });
  else sendJson(response, 200, { vllm_config: { scheduler_config: { max_num_seqs: profile.maxNumSeqs } } });
}

function answerMetrics({ engine, response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/plain; version=1.0.0; charset=utf-8' });
  response.end(metricsText(engine));
}
