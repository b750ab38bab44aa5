import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { apiOfPath } from '#lib/engine/endpoints.ts';
import { sendApiError } from '#server/proxy/api-error.ts';
import { sendJson } from './respond.ts';

export type DispatchTargets = {
  readonly proxy: (req: IncomingMessage, res: ServerResponse, path: string) => void;
  readonly api: (req: IncomingMessage, res: ServerResponse, url: URL) => Promise<void>;
  /** Prometheus' text. */
  readonly metrics: (res: ServerResponse) => Promise<void>;
  /** The console's pages. */
  readonly pages: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** True while at least one replica is up. */
  readonly isReady: () => boolean;
  /** True from the moment the process was told to end. */
  readonly isDraining: () => boolean;
};

/** The engine's public paths that are not under `/v1`. */
const PROXIED_OUTSIDE_V1 = new Set(['/tokenize', '/detokenize']);
const DRAINED_RETRY_SECONDS = 5;

/**
 * The one place that decides who answers a request: `/v1` (and configured paths) the proxy, `/api` the console's API,
 * anything else the pages. A path is taken as it is written: one with `..`, `//` or a scheme in front matches nothing.
 */
export function createDispatcher(targets: DispatchTargets, isExtraPath: (path: string) => boolean): RequestListener {
  return (req, res) => {
    const target = req.url ?? '/';
    const queryAt = target.indexOf('?');
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    if (isProxied(path) || isExtraPath(path)) {
      if (targets.isDraining()) refuseWhileDraining(res, path);
      else targets.proxy(req, res, path);
      return;
    }
    if (path === '/healthz') return sendJson(res, 200, { status: 'ok' });
    if (path === '/readyz') return sendReadiness(res, targets);
    if (path === '/metrics') return void targets.metrics(res);
    const url = URL.parse(target, 'http://console');
    if (url === null || !target.startsWith('/'))
      return sendJson(res, 400, { error: 'The request target is not a path.' });
    if (path === '/api' || path.startsWith('/api/')) void targets.api(req, res, url);
    else void targets.pages(req, res);
  };
}

function isProxied(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/') || PROXIED_OUTSIDE_V1.has(path);
}

function sendReadiness(res: ServerResponse, targets: DispatchTargets): void {
  if (targets.isDraining()) sendJson(res, 503, { status: 'draining' });
  else if (!targets.isReady()) sendJson(res, 503, { status: 'no replica is up' });
  else sendJson(res, 200, { status: 'ready' });
}

function refuseWhileDraining(res: ServerResponse, path: string): void {
  sendApiError(res, apiOfPath(path), {
    status: 503,
    code: 'shutting_down',
    message: 'LM Warden is shutting down and takes no new requests.',
    retryAfterSeconds: DRAINED_RETRY_SECONDS,
    closeConnection: true,
  });
}
