import type { IncomingMessage } from 'node:http';
import { pinBillingLine, type Splice } from '#lib/conversations/prefix-hygiene.ts';
import type { Endpoint, EndpointTable } from '#lib/engine/endpoints.ts';
import { translatable } from '#lib/responses-bridge/translatable.ts';
import type { RoutedRequest } from '#lib/routing/types.ts';
import type { Edit } from '#lib/usage/ask-for-usage.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { ModelRegistry } from '#server/router/registry.ts';
import { type AnswerShape, AS_IT_IS, asResponse, WITHOUT_USAGE } from './answer-shape.ts';
import type { ApiError } from './api-error.ts';
import type { AskedTurn, Conversations, ConversationTurn } from './conversations.ts';
import { clientPin, RANK_HEADER } from './headers.ts';
import { modelOfForm, type RequestFacts, readFacts, withEdits } from './request-facts.ts';
import { sessionKey, sessionScope, sideReason } from './session.ts';

export type UnderstandOptions = {
  readonly registry: ModelRegistry;
  /** Configuration that may change while the process runs. */
  readonly endpoints: () => EndpointTable;
  readonly sessionHeaders: () => readonly string[];
  readonly conversations: Conversations;
  readonly now: () => number;
};

/** A refusal on the way to a decision; the client is answered with it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message);
    this.error = error;
  }
}

export type Understood = {
  readonly model: ModelRuntime;
  readonly body: Buffer;
  readonly routed: RoutedRequest;
  /** Null for what is no turn of a conversation. */
  readonly turn: ConversationTurn | null;
  /** The billing line was pinned on its way, so that the engine does not see it change. */
  readonly pinnedBillingLine: boolean;
  /** Path for the engine; another than the client's where the request is translated. */
  readonly upstreamPath: string;
  readonly shape: AnswerShape;
};

/** The endpoint of a request to be forwarded. Throws a Refusal for anything that is not on the list. */
export function findEndpoint(options: UnderstandOptions, req: IncomingMessage, path: string): Endpoint {
  const endpoint = options.endpoints().find(path);
  if (endpoint === null) {
    throw new Refusal({
      status: 404,
      code: 'not_found',
      message: `LM Warden does not forward ${path}.`,
      closeConnection: true,
    });
  }
  if (req.method !== 'POST') {
    throw new Refusal({
      status: 405,
      code: 'method_not_allowed',
      message: `${path} takes POST, not ${req.method}.`,
      closeConnection: true,
    });
  }
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new Refusal({
      status: 415,
      code: 'unsupported_encoding',
      message: `Send the body uncompressed, not as ${encoding}.`,
      closeConnection: true,
    });
  }
  return endpoint;
}

/** From the bytes to what is routed: the model meant, the body for the engine, the conversation's key. */
export async function understand(
  options: UnderstandOptions,
  req: IncomingMessage,
  endpoint: Endpoint,
  bytes: Buffer,
): Promise<Understood> {
  if (endpoint.body === 'multipart') return understandForm(options, req, endpoint, bytes);
  const read = readFacts(bytes, endpoint.api);
  if (!read.ok) {
    const param = read.param === undefined ? {} : { param: read.param };
    throw new Refusal({ status: 400, code: 'invalid_body', message: read.message, ...param });
  }
  const { facts } = read;
  const model = findModel(options.registry, facts.model);
  const billingLine = model.config.pin_billing_line ? pinBillingLine(bytes, facts.spans, endpoint.api) : [];
  const edits = [...editsFor(facts, model.upstreamModel(facts.model)), ...billingLine.map(editOfSplice)];
  const pin = pinOf(req, model);
  const side = sideReason(endpoint, req.headers, facts);
  const scope = sessionScope(model.name, req.headers);
  const id = sessionKey(scope, req.headers, facts, options.sessionHeaders());
  const turn =
    side === null ? beginTurn(options, model, { body: bytes, api: endpoint.api, spans: facts.spans, scope, id }) : null;
  const edited = withEdits(bytes, edits);
  const bridge = bridged(options, model, endpoint, edited) ?? {
    body: edited,
    path: endpoint.path,
    shape: facts.usageEdit === null ? AS_IT_IS : WITHOUT_USAGE,
    unpinnable: model.engineBalances ? endpoint.unpinnable : null,
  };
  return {
    model,
    body: bridge.body,
    routed: {
      key: turn === null ? id : turn.key,
      role: side === null ? 'turn' : 'side',
      sideReason: side,
      pin,
      unpinnable: bridge.unpinnable,
      bodyBytes: bytes.length,
      relativeOf: turn?.relativeOf ?? null,
    },
    turn,
    pinnedBillingLine: billingLine.length > 0,
    upstreamPath: bridge.path,
    shape: bridge.shape,
  };
}

type Bridged = {
  readonly body: Buffer;
  readonly path: string;
  readonly shape: AnswerShape;
  /** Why the replica cannot be chosen; null where it can. */
  readonly unpinnable: string | null;
};

/**
 * On one URL with ranks the engine ignores the pin on /v1/responses, but not on chat completions: a request that needs
 * nothing but its own text is sent as one. What cannot be translated goes through as it is, with the reason.
 */
function bridged({ now }: UnderstandOptions, model: ModelRuntime, endpoint: Endpoint, body: Buffer): Bridged | null {
  if (endpoint.api !== 'responses' || !model.engineBalances) return null;
  if (!model.config.translate_responses || !model.policy.affinity) return null;
  const translation = translatable(parsedBody(body));
  if (!translation.ok) {
    const unpinnable = `${endpoint.unpinnable}; it cannot be sent as a chat completion: ${translation.reason}`;
    return { body, path: endpoint.path, shape: AS_IT_IS, unpinnable };
  }
  return {
    body: Buffer.from(JSON.stringify(translation.chat)),
    path: '/v1/chat/completions',
    shape: asResponse(translation.plan, now),
    unpinnable: null,
  };
}

/** Null where it is not JSON after all: the engine says so better than we could. */
function parsedBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

type Asked = Pick<AskedTurn, 'body' | 'api' | 'spans' | 'scope' | 'id'>;

function beginTurn({ conversations, now }: UnderstandOptions, model: ModelRuntime, asked: Asked): ConversationTurn {
  const at = now();
  const isKnown = asked.id !== null && model.router.home(asked.id.hash) !== null;
  return conversations.begin({ ...asked, isKnown, now: at });
}

const editOfSplice = ({ span, replacement }: Splice): Edit => ({ ...span, text: Buffer.from(replacement).toString() });

function editsFor({ model, modelSpan, usageEdit }: RequestFacts, upstreamName: string): readonly Edit[] {
  const rename = upstreamName === model ? [] : [{ ...modelSpan, text: JSON.stringify(upstreamName) }];
  return usageEdit === null ? rename : [...rename, usageEdit];
}

async function understandForm(
  options: UnderstandOptions,
  req: IncomingMessage,
  endpoint: Endpoint,
  bytes: Buffer,
): Promise<Understood> {
  const requested = await modelOfForm(bytes, req.headers['content-type'] ?? '').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal({ status: 400, code: 'invalid_body', message: `The body is not a multipart form: ${reason}` });
  });
  if (requested === null) {
    throw new Refusal({ status: 400, code: 'invalid_body', message: 'The form names no model.', param: 'model' });
  }
  const model = findModel(options.registry, requested);
  if (model.upstreamModel(requested) !== requested) {
    throw new Refusal({
      status: 404,
      code: 'model_not_found',
      message: `In a form, name the model as the engine does: ${model.servedModelName}.`,
      param: 'model',
    });
  }
  return {
    model,
    body: bytes,
    routed: {
      key: null,
      role: 'turn',
      sideReason: null,
      pin: pinOf(req, model),
      unpinnable: model.engineBalances ? endpoint.unpinnable : null,
      bodyBytes: bytes.length,
    },
    turn: null,
    pinnedBillingLine: false,
    upstreamPath: endpoint.path,
    shape: AS_IT_IS,
  };
}

/** The client's own rank, checked against the fleet: engines ignore or half-answer one that they do not have. */
function pinOf(req: IncomingMessage, model: ModelRuntime): number | null {
  const replicas = model.replicas.map(([replica]) => replica);
  const pin = clientPin(req.headers, replicas);
  if (pin.kind === 'invalid') {
    throw new Refusal({
      status: 400,
      code: 'invalid_rank',
      message: `The header ${RANK_HEADER} is "${pin.text}", but ${model.name} has ${namedReplicas(replicas)}.`,
      param: RANK_HEADER,
    });
  }
  return pin.kind === 'rank' ? pin.rank : null;
}

/** One that has left leaves a gap in the numbers. */
function namedReplicas(replicas: readonly number[]): string {
  if (replicas.length === 0) return 'no replica now';
  const last = replicas.length - 1;
  const first = replicas[0] ?? 0;
  const isGapless = replicas[last] === first + last;
  if (isGapless && last > 1) return `the replicas ${first} to ${replicas[last]}`;
  return `${last === 0 ? 'the replica' : 'the replicas'} ${replicas.join(', ')}`;
}

function findModel(registry: ModelRegistry, requested: string): ModelRuntime {
  const model = registry.find(requested);
  if (model !== null) return model;
  const names = registry.models().map(({ name }) => name);
  if (names.length === 0) {
    throw new Refusal({
      status: 503,
      code: 'no_model',
      message: 'No engine has answered yet, so no model is known.',
      retryAfterSeconds: 5,
    });
  }
  throw new Refusal({
    status: 404,
    code: 'model_not_found',
    message: `The model "${requested}" is not served here. Models: ${names.join(', ')}.`,
    param: 'model',
  });
}
