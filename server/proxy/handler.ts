import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { apiOfPath, type Endpoint } from '#lib/engine/endpoints.ts';
import { clientName } from '#lib/routing/client.ts';
import type { RoutedRequest } from '#lib/routing/types.ts';
import type { ModelRuntime } from '#server/router/model-runtime.ts';
import type { RequestRow } from '#server/store/store.ts';
import { type ApiError, sendApiError } from './api-error.ts';
import { type ForwardResult, forward } from './forward.ts';
import { sendModelList } from './model-list.ts';
import { readBody } from './request-body.ts';
import { findEndpoint, Refusal, type UnderstandOptions, understand } from './understand.ts';
import type { Upstreams } from './upstream.ts';

export type ProxyOptions = UnderstandOptions & {
  readonly upstreams: Upstreams;
  readonly maxBodyBytes: () => number;
  /** Told of every request that had a place, once it is over. Must not throw. */
  readonly onFinished: (row: RequestRow) => void;
  readonly startedAt: number;
  readonly now: () => number;
  readonly log: Logger;
};

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

  const { model, body, routed, hidesUsage } = await understand(options, req, endpoint, received.bytes);
  const client = clientName(req.headers['user-agent'] ?? null, req.headers);
  const placement = model.place(routed, client);
  if (placement === null) throw new Refusal(noReplicaUp(model));

  const requestId = requestIdOf(req);
  const result = await forward({
    req,
    res,
    placement,
    api: endpoint.api,
    path: path + queryOf(req.url ?? ''),
    body,
    hidesUsage,
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

/** The query string with its question mark; `?beta=true` and the like are the engine's to read. */
function queryOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at);
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
