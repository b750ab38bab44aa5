import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Caller } from '#lib/access/caller.ts';
import { apiOfPath } from '#lib/engine/endpoints.ts';
import { sendApiError } from '#server/proxy/api-error.ts';
import type { Gate } from './gate.ts';
import { sendJson } from './respond.ts';
import { type Area, type RouteTable, routeOf } from './route-of.ts';

export type DispatchTargets = {
  readonly proxy: (req: IncomingMessage, res: ServerResponse, path: string, caller: Caller) => void;
  readonly api: (req: IncomingMessage, res: ServerResponse, path: string, caller: Caller) => Promise<void>;
  /** Prometheus' text. */
  readonly metrics: (res: ServerResponse) => Promise<void>;
  /** The console's pages. */
  readonly pages: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** True while at least one replica is up. */
  readonly isReady: () => boolean;
  /** Told of every request to a model that was answered here with an error code of the router's. */
  readonly onRefused: (code: string, status: number) => void;
  /** True from the moment the process was told to end. */
  readonly isDraining: () => boolean;
};

const DRAINED_RETRY_SECONDS = 5;
/** What Next's pages ask of it in development; not there in a build. */
const DEVELOPMENT = '/__nextjs_';

/** The one place that decides who answers a request, once the gate has let it in. */
export function createDispatcher(targets: DispatchTargets, table: RouteTable, gate: Gate): RequestListener {
  return (req, res) => {
    const target = req.url ?? '/';
    const queryAt = target.indexOf('?');
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    const route = routeOf(req.method ?? 'GET', path, table);
    if (route === null) return sendJson(res, 400, { error: 'The request target is not a path of this server.' });
    const admitted = gate(req, res, path, route);
    const go = (caller: Caller | null): void => {
      if (caller !== null) serve(targets, { req, res, path, area: route.area, caller });
    };
    if (admitted instanceof Promise) void admitted.then(go);
    else go(admitted);
  };
}

type Admitted = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly path: string;
  readonly area: Area;
  readonly caller: Caller;
};

function serve(targets: DispatchTargets, { req, res, path, area, caller }: Admitted): void {
  if (area === 'proxy') {
    if (targets.isDraining()) refuseWhileDraining(res, path, targets.onRefused);
    else targets.proxy(req, res, path, caller);
  } else if (area === 'api') void targets.api(req, res, path, caller);
  else if (area !== 'health' && !isRead(req) && !path.startsWith(DEVELOPMENT)) refuseMethod(res);
  else if (area === 'metrics') void targets.metrics(res);
  else if (area === 'health') sendHealth(res, path, targets);
  else void targets.pages(req, res);
}

function sendHealth(res: ServerResponse, path: string, targets: DispatchTargets): void {
  if (path === '/healthz') sendJson(res, 200, { status: 'ok' });
  else if (targets.isDraining()) sendJson(res, 503, { status: 'draining' });
  else if (!targets.isReady()) sendJson(res, 503, { status: 'no replica is up' });
  else sendJson(res, 200, { status: 'ready' });
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function refuseMethod(res: ServerResponse): void {
  res.setHeader('allow', 'GET, HEAD');
  res.setHeader('connection', 'close');
  sendJson(res, 405, { error: 'This takes GET and HEAD.' });
}

function refuseWhileDraining(res: ServerResponse, path: string, onRefused: DispatchTargets['onRefused']): void {
  onRefused('shutting_down', 503);
  sendApiError(res, apiOfPath(path), {
    status: 503,
    code: 'shutting_down',
    message: 'LM Warden is shutting down and takes no new requests.',
    retryAfterSeconds: DRAINED_RETRY_SECONDS,
    closeConnection: true,
  });
}
