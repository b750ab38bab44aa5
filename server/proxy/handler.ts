import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { clientName } from '#lib/routing/client.ts';
import type { RoutedRequest } from '#lib/routing/types.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { ModelRegistry } from '#server/router/registry.ts';
import type { RequestRow } from '#server/store/store.ts';
import { type ApiError, sendApiError } from './api-error.ts';
import { apiOfPath, type Endpoint, type EndpointTable } from './endpoints.ts';
import { type ForwardResult, forward } from './forward.ts';
import { clientPin, RANK_HEADER } from './headers.ts';
import { sendModelList } from './model-list.ts';
import { readBody } from './request-body.ts';
import { modelOfForm, type RequestFacts, readFacts, withModel } from './request-facts.ts';
import { sessionKey, sideReason } from './session.ts';
import type { Upstreams } from './upstream.ts';

export type ProxyOptions = {
  readonly registry: ModelRegistry;
  readonly upstreams: Upstreams;
  /** Configuration that may change while the process runs. */
  readonly endpoints: () => EndpointTable;
  readonly sessionHeaders: () => readonly string[];
  readonly maxBodyBytes: () => number;
  /** Told of every request that had a place, once it is over. Must not throw. */
  readonly onFinished: (row: RequestRow) => void;
  readonly startedAt: number;
  readonly now: () => number;
  readonly log: Logger;
};

/** A refusal on the way to a decision; the client is answered with it. */
class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message);
    this.error = error;
  }
}

type Understood = { readonly model: ModelRuntime; readonly body: Buffer; readonly routed: RoutedRequest };

/** Serves `/v1/…` and the engine's few other public paths: one request from being accepted to its place given back. */
export function createProxy(options: ProxyOptions): (req: IncomingMessage, res: ServerResponse, path: string) => void {
  return (req, res, path) => {
    serve(options, req, res, path).catch((error: unknown) => {
      if (error instanceof Refusal && !res.headersSent) {
        sendApiError(res, apiOfPath(path), error.error);
        return;
      }
      options.log.error({ err: error, path }, 'the proxy failed');
      if (res.headersSent) res.destroy();
      else
        sendApiError(res, apiOfPath(path), {
          status: 500,
          code: 'internal_error',
          message: 'The router failed on this request; its log says more.',
        });
    });
  };
}

async function serve(options: ProxyOptions, req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
  const { registry, now } = options;
  if (path === '/v1/models' && (req.method === 'GET' || req.method === 'HEAD')) {
    sendModelList(req, res, registry.models(), options.startedAt);
    return;
  }
  const startedAt = now();
  const endpoint = findEndpoint(options, req, path);
  const received = await readBody(req, options.maxBodyBytes());
  if (received.kind === 'client_left') return;
  if (received.kind === 'too_large') throw new Refusal(tooLarge(options.maxBodyBytes()));

  const { model, body, routed } = await understand(options, req, endpoint, received.bytes);
  const client = clientName(req.headers['user-agent'] ?? null, req.headers);
  const placement = model.place(routed, client);
  if (placement === null) throw new Refusal(noReplicaUp(model));

  const requestId = requestIdOf(req);
  const result = await forward({
    req,
    res,
    placement,
    api: endpoint.api,
    path: req.url ?? path,
    body,
    apiKey: model.config.api_key ?? null,
    requestId,
    sessionSource: routed.key?.source ?? 'none',
    upstreams: options.upstreams,
    now,
  });
  model.turnFinished(routed, result.usage);
  options.onFinished(
    requestRow({ id: requestId, model, endpoint, client, routed, startedAt, finishedAt: now() }, result),
  );
}

function findEndpoint(options: ProxyOptions, req: IncomingMessage, path: string): Endpoint {
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
async function understand(
  options: ProxyOptions,
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
  const upstreamName = model.upstreamModel(facts.model);
  return {
    model,
    body: upstreamName === facts.model ? bytes : withModel(bytes, facts.modelSpan, upstreamName),
    routed: routedRequest(options, req, endpoint, { model, facts, bodyBytes: bytes.length }),
  };
}

async function understandForm(
  options: ProxyOptions,
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
  };
}

type ForRouting = { readonly model: ModelRuntime; readonly facts: RequestFacts | null; readonly bodyBytes: number };

function routedRequest(
  options: ProxyOptions,
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

function noReplicaUp(model: ModelRuntime): ApiError {
  const reasons = model.processes.flatMap((process) => process.error ?? []).join('; ');
  return {
    status: 503,
    code: 'no_replica_up',
    message: `No replica of ${model.name} is up${reasons === '' ? '' : `: ${reasons}`}.`,
    retryAfterSeconds: 10,
  };
}

function tooLarge(maxBytes: number): ApiError {
  return {
    status: 413,
    code: 'body_too_large',
    message: `The body is larger than ${maxBytes} bytes (limits.max_body_mb in warden.yaml).`,
    closeConnection: true,
  };
}

/** The client's own id where it is one, so that its logs and the engine's name the same request. */
function requestIdOf(req: IncomingMessage): string {
  const id = req.headers['x-request-id'];
  return typeof id === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(id) ? id : randomUUID();
}

type Served = {
  readonly id: string;
  readonly model: ModelRuntime;
  readonly endpoint: Endpoint;
  readonly client: string | null;
  readonly routed: RoutedRequest;
  readonly startedAt: number;
  readonly finishedAt: number;
};

function requestRow(served: Served, result: ForwardResult): RequestRow {
  return {
    id: served.id,
    model: served.model.name,
    startedAt: served.startedAt,
    finishedAt: served.finishedAt,
    path: served.endpoint.path,
    client: served.client,
    sessionHash: served.routed.key?.hash ?? null,
    sessionSource: served.routed.key?.source ?? null,
    replica: result.decision.replica,
    decision: result.decision.kind,
    reason: result.decision.reason,
    promptTokens: result.usage.promptTokens,
    cachedTokens: result.usage.cachedTokens,
    completionTokens: result.usage.completionTokens,
    ttfbMs: result.firstByteAt === null ? null : result.firstByteAt - served.startedAt,
    status: result.status,
    outcome: result.outcome,
  };
}
