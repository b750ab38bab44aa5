import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Caller, Who } from '#lib/access/caller.ts';
import { ProblemError, sendJson, sendProblem } from '#server/http/respond.ts';
import { type AuditNote, withAudit } from './audit-rule.ts';
import type { ApiContext } from './context.ts';
import type { ApiCall } from './handlers.ts';
import { API_ROUTES, type Route } from './routes.ts';

export type Api = {
  readonly handle: (req: IncomingMessage, res: ServerResponse, path: string, caller: Caller) => Promise<void>;
  /** Who may make a call; one that is not there is for those who see the console, so that nobody else learns that. */
  readonly who: (method: string, path: string) => Who;
};

/** The console's API. A fault of ours is logged and answered with 500, never with its text. */
export function createApi(context: ApiContext, log: Logger): Api {
  return {
    who: (method, path) => routesAt(path).find((route) => route.method === readMethod(method))?.who ?? 'viewer',
    async handle(req, res, path, caller) {
      try {
        const { route, params } = findRoute(readMethod(req.method ?? 'GET'), path);
        const call = callOf({ context, req, res, params, caller });
        const run = () => route.handle(call);
        const { audit = 'none' } = route;
        const answer = audit === 'none' ? await run() : await withAudit(context.access, audit, call, run);
        sendJson(res, 200, answer);
      } catch (error) {
        if (res.headersSent) {
          res.destroy();
        } else if (error instanceof ProblemError) {
          sendProblem(res, error);
        } else {
          log.error({ err: error, path }, 'console API failed');
          sendProblem(res, new ProblemError(500, 'Internal error', 'This is a fault of LM Warden; its log says more.'));
        }
      }
    },
  };
}

function callOf(given: Pick<ApiCall, 'context' | 'req' | 'res' | 'params' | 'caller'>): ApiCall {
  const target = given.req.url ?? '';
  const queryAt = target.indexOf('?');
  let noted: AuditNote | null = null;
  return {
    ...given,
    query: new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt + 1)),
    note: (note) => {
      noted = { ...noted, ...note };
    },
    noted: () => noted,
  };
}

const readMethod = (method: string): string => (method === 'HEAD' ? 'GET' : method);
const routesAt = (path: string): readonly Route[] => API_ROUTES.filter((route) => route.path.test(path));

function findRoute(method: string, path: string): { route: Route; params: Record<string, string> } {
  const allowed: string[] = [];
  for (const route of API_ROUTES) {
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
