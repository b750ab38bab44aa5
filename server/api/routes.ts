import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ProblemError, sendJson, sendProblem } from '#server/http/respond.ts';
import { listAlerts } from './alert-handlers.ts';
import { deleteBenchmark, getBenchmark, getReadings, listBenchmarks, postBenchmark } from './benchmark-handlers.ts';
import type { ApiContext } from './context.ts';
import { getFleet } from './fleet-handlers.ts';
import {
  type ApiCall,
  getDemo,
  getRouting,
  listEvents,
  listModels,
  patchReplica,
  patchRouting,
  postDemo,
  processStatus,
} from './handlers.ts';
import { getAdvice, getInFlight } from './model-handlers.ts';
import { listClients, listRequests } from './request-handlers.ts';
import {
  admissionStats,
  decisionStats,
  errorStats,
  latencyStats,
  replicaStats,
  tokenStats,
} from './series-handlers.ts';
import { deleteSession, getSession, listSessions, postSessionHome } from './session-handlers.ts';
import { getDatabase, getSettings, patchSettings } from './settings-handlers.ts';

type Route = {
  readonly method: string;
  readonly path: RegExp;
  readonly handle: (call: ApiCall) => Promise<unknown>;
};

const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/api\/status$/, handle: processStatus },
  { method: 'GET', path: /^\/api\/models$/, handle: listModels },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)\/routing$/, handle: getRouting },
  { method: 'PATCH', path: /^\/api\/models\/(?<name>[^/]+)\/routing$/, handle: patchRouting },
  { method: 'PATCH', path: /^\/api\/models\/(?<name>[^/]+)\/replicas\/(?<replica>\d+)$/, handle: patchReplica },
  { method: 'GET', path: /^\/api\/stats\/tokens$/, handle: tokenStats },
  { method: 'GET', path: /^\/api\/stats\/latency$/, handle: latencyStats },
  { method: 'GET', path: /^\/api\/stats\/admission$/, handle: admissionStats },
  { method: 'GET', path: /^\/api\/stats\/decisions$/, handle: decisionStats },
  { method: 'GET', path: /^\/api\/stats\/errors$/, handle: errorStats },
  { method: 'GET', path: /^\/api\/stats\/replicas$/, handle: replicaStats },
  { method: 'GET', path: /^\/api\/sessions$/, handle: listSessions },
  { method: 'GET', path: /^\/api\/sessions\/(?<key>[0-9a-f]{12})$/, handle: getSession },
  { method: 'DELETE', path: /^\/api\/sessions\/(?<key>[0-9a-f]{12})$/, handle: deleteSession },
  { method: 'POST', path: /^\/api\/sessions\/(?<key>[0-9a-f]{12})\/home$/, handle: postSessionHome },
  { method: 'GET', path: /^\/api\/requests$/, handle: listRequests },
  { method: 'GET', path: /^\/api\/requests\/clients$/, handle: listClients },
  { method: 'GET', path: /^\/api\/fleet$/, handle: getFleet },
  { method: 'GET', path: /^\/api\/events$/, handle: listEvents },
  { method: 'GET', path: /^\/api\/alerts$/, handle: listAlerts },
  { method: 'GET', path: /^\/api\/settings$/, handle: getSettings },
  { method: 'PATCH', path: /^\/api\/settings$/, handle: patchSettings },
  { method: 'GET', path: /^\/api\/settings\/database$/, handle: getDatabase },
  { method: 'GET', path: /^\/api\/demo$/, handle: getDemo },
  { method: 'POST', path: /^\/api\/demo$/, handle: postDemo },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)\/in-flight$/, handle: getInFlight },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)\/advice$/, handle: getAdvice },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)\/readings$/, handle: getReadings },
  { method: 'GET', path: /^\/api\/benchmarks$/, handle: listBenchmarks },
  { method: 'POST', path: /^\/api\/benchmarks$/, handle: postBenchmark },
  { method: 'GET', path: /^\/api\/benchmarks\/(?<id>\d{1,15})$/, handle: getBenchmark },
  { method: 'DELETE', path: /^\/api\/benchmarks\/(?<id>\d{1,15})$/, handle: deleteBenchmark },
];

/** The console's API. A fault of ours is logged and answered with 500, never with its text. */
export function createApi(
  context: ApiContext,
  log: Logger,
): (req: IncomingMessage, res: ServerResponse, url: URL) => Promise<void> {
  return async (req, res, url) => {
    try {
      refuseForeignOrigin(req);
      const { route, params } = findRoute(req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET'), url.pathname);
      const answer = await route.handle({ context, req, params, query: url.searchParams });
      sendJson(res, 200, answer);
    } catch (error) {
      if (res.headersSent) {
        res.destroy();
      } else if (error instanceof ProblemError) {
        sendProblem(res, error);
      } else {
        log.error({ err: error, path: url.pathname }, 'console API failed');
        sendProblem(res, new ProblemError(500, 'Internal error', 'This is a fault of LM Warden; its log says more.'));
      }
    }
  };
}

/** A page of another origin must not change settings of a console that listens on its reader's own machine. */
function refuseForeignOrigin(req: IncomingMessage): void {
  const { origin, host } = req.headers;
  if (origin === undefined || req.method === 'GET' || req.method === 'HEAD') return;
  if (URL.parse(origin)?.host !== host) {
    throw new ProblemError(403, 'Foreign origin', `A page of ${origin} may not change anything here.`);
  }
}

function findRoute(method: string, path: string): { route: Route; params: Record<string, string> } {
  const allowed: string[] = [];
  for (const route of ROUTES) {
    const match = route.path.exec(path);
    if (match === null) continue;
    if (route.method === method) return { route, params: decodeParams(match.groups ?? {}) };
    allowed.push(route.method);
  }
  if (allowed.length > 0) {
    throw new ProblemError(405, 'Method not allowed', `${path} takes ${allowed.join(' and ')}, not ${method}.`);
  }
  throw new ProblemError(404, 'Not found', `There is no ${path} in this API.`);
}

function decodeParams(groups: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new ProblemError(400, 'Invalid request', 'The path is not valid percent-encoding.');
  }
}
