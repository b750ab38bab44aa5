import type { IncomingMessage } from 'node:http';
import type { Endpoint, EndpointTable } from '#lib/engine/endpoints.ts';
import type { RoutedRequest } from '#lib/routing/types.ts';
import type { Edit } from '#lib/usage/ask-for-usage.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { ModelRegistry } from '#server/router/registry.ts';
import type { ApiError } from './api-error.ts';
import { clientPin, RANK_HEADER } from './headers.ts';
import { modelOfForm, type RequestFacts, readFacts, withEdits } from './request-facts.ts';
import { sessionKey, sideReason } from './session.ts';

export type UnderstandOptions = {
  readonly registry: ModelRegistry;
  /** Configuration that may change while the process runs. */
  readonly endpoints: () => EndpointTable;
  readonly sessionHeaders: () => readonly string[];
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
  /** The engine is asked for usage that the client did not ask for, and that is to be kept from it. */
  readonly hidesUsage: boolean;
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
  return {
    model,
    body: withEdits(bytes, editsFor(facts, model.upstreamModel(facts.model))),
    routed: routedRequest(options, req, endpoint, { model, facts, bodyBytes: bytes.length }),
    hidesUsage: facts.usageEdit !== null,
  };
}

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
    routed: routedRequest(options, req, endpoint, { model, facts: null, bodyBytes: bytes.length }),
    hidesUsage: false,
  };
}

type ForRouting = { readonly model: ModelRuntime; readonly facts: RequestFacts | null; readonly bodyBytes: number };

function routedRequest(
  options: UnderstandOptions,
  req: IncomingMessage,
  endpoint: Endpoint,
  { model, facts, bodyBytes }: ForRouting,
): RoutedRequest {
  const pin = clientPin(req.headers, model.places.length);
  if (pin.kind === 'invalid') {
    throw new Refusal({
      status: 400,
      code: 'invalid_rank',
      message: `The header ${RANK_HEADER} is "${pin.text}", but ${model.name} has the replicas 0 to ${model.places.length - 1}.`,
      param: RANK_HEADER,
    });
  }
  const side = facts === null ? null : sideReason(endpoint, req.headers, facts);
  return {
    key: facts === null ? null : sessionKey(model.name, endpoint, req.headers, facts, options.sessionHeaders()),
    role: side === null ? 'turn' : 'side',
    sideReason: side,
    pin: pin.kind === 'rank' ? pin.rank : null,
    unpinnable: model.engineBalances ? endpoint.unpinnable : null,
    bodyBytes,
  };
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
