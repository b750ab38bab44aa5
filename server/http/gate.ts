import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, mayPass } from '#lib/access/caller.ts';
import { isKnownHost } from '#lib/access/host.ts';
import { foreignOrigin } from '#lib/access/origin.ts';
import { apiOfPath } from '#lib/engine/endpoints.ts';
import type { Access, AccessMode } from '#server/access/access.ts';
import {
  type Client,
  clientCaller,
  consoleCaller,
  fellowCaller,
  metricsCaller,
  recallCaller,
} from '#server/access/caller-of.ts';
import { type ApiError, sendApiError } from '#server/proxy/api-error.ts';
import { grantOrigin, isPreflight } from './cross-origin.ts';
import { ProblemError, sendProblem } from './respond.ts';
import type { Area, RouteOf } from './route-of.ts';
import { setSecurityHeaders } from './security-headers.ts';

/**
 * Lets a request in and says who it is from, or answers it and gives null. Takes a moment where the memory that wardens
 * share has to be asked for a session; a request with a key never waits.
 */
export type Gate = (
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  route: RouteOf,
) => Caller | null | Promise<Caller | null>;

/** Told of every request to a model that is not let in. */
type OnRefused = (code: string, status: number) => void;

type Refused = {
  readonly status: 401 | 403 | 421;
  readonly code: string;
  readonly title: string;
  readonly message: string;
};

/**
 * The one place where requests are let in: addressed to this server, from no foreign page, by someone who may. What is
 * not allowed by the table of routes does not get past here.
 */
export function createGate(access: Access, onRefused: OnRefused): Gate {
  const admit = createAdmission(access, onRefused);
  return (req, res, path, route) => {
    const recalled = route.area === 'health' ? null : recallCaller(access, req);
    if (recalled === null) return admit(req, res, path, route);
    return recalled.then(() => (res.destroyed ? null : admit(req, res, path, route)));
  };
}

type Admission = (req: IncomingMessage, res: ServerResponse, path: string, route: RouteOf) => Caller | null;

function createAdmission(access: Access, onRefused: OnRefused): Admission {
  return (req, res, path, route) => {
    if (route.area === 'proxy')
      return admitClient(access, req, res, (error) => {
        onRefused(error.code, error.status);
        sendApiError(res, apiOfPath(path), { ...error, closeConnection: true });
        return null;
      });
    setSecurityHeaders(res, route.area, access.connectionOf(req).isTls);
    const caller = callerOf(access, req, route);
    const refused = isAboveSuspicion(caller, route.area)
      ? null
      : (refusedHost(access, req) ?? refusedOrigin(access, req, route.area));
    if (refused !== null) return answer(res, route.area, refused);
    if (mayPass(caller, route.who)) return caller;
    if (caller.kind !== 'anonymous') return answer(res, route.area, notAllowed(caller));
    if (route.area === 'page') return toLogin(req, res);
    return answer(res, route.area, notSignedIn(access, route.area));
  };
}

function callerOf(access: Access, req: IncomingMessage, { area, who }: RouteOf): Caller {
  if (area === 'metrics') return metricsCaller(access, req);
  return who === 'fellow' ? fellowCaller(access, req) : consoleCaller(access, req);
}

/** What no page can send: the token for the metrics. And what tells nothing: whether the process lives. */
function isAboveSuspicion(caller: Caller, area: Area): boolean {
  return area === 'health' || caller.kind === 'metrics';
}

type Refuse = (error: ApiError) => null;

/** The hot path: at most one hash and one look into a map. A key proves that no page rebound its name to us. */
function admitClient(access: Access, req: IncomingMessage, res: ServerResponse, refuse: Refuse): Caller | null {
  const client = clientCaller(access, req);
  const { caller } = client;
  const isKnown = caller.kind === 'key' || caller.kind === 'internal';
  const refused =
    (isKnown ? null : refusedHost(access, req)) ??
    refusedOrigin(access, req, 'proxy') ??
    (mayPass(caller, 'client') || isPreflight(req) ? null : refusedClient(client));
  if (refused !== null) return refuse(refused);
  if (grantOrigin(access.settings.allowedOrigins, req, res)) return null;
  if (caller.kind === 'key' && req.method === 'POST') return takePlace(access, res, caller, refuse);
  return caller;
}

function takePlace(
  access: Access,
  res: ServerResponse,
  caller: Caller & { kind: 'key' },
  refuse: Refuse,
): Caller | null {
  const { key } = caller;
  const now = Date.now();
  const place = access.limits.take(key, now);
  if (place.kind === 'refused') {
    const { limit, retryAfterSeconds } = place;
    const message =
      limit === 'requests_per_minute'
        ? `The key "${key.name}" may send ${key.requestsPerMinute} requests a minute.`
        : `The key "${key.name}" may have ${key.concurrentRequests} requests under way at a time.`;
    return refuse({ status: 429, code: limit, message, retryAfterSeconds });
  }
  access.keys.used(key.id, now);
  if (key.concurrentRequests === null) place.release();
  else res.once('close', place.release);
  return caller;
}

function refusedHost({ hosts, connectionOf }: Access, req: IncomingMessage): Refused | null {
  if (isKnownHost(connectionOf(req).host, hosts)) return null;
  return {
    status: 421,
    code: 'unknown_host',
    title: 'Unknown host',
    message:
      'This server is not known by the name in the Host header. If it should be, put the name into WARDEN_ALLOWED_HOSTS.',
  };
}

/** Reading is safe from foreign pages, since they are not shown the answer; but nothing of ours is for them to ask. */
function refusedOrigin({ settings, connectionOf }: Access, req: IncomingMessage, area: Area): Refused | null {
  const isNavigation = (area === 'page' || area === 'file') && (req.method === 'GET' || req.method === 'HEAD');
  if (isNavigation) return null;
  const { origin, 'sec-fetch-site': site } = req.headers;
  const fetchSite = Array.isArray(site) ? site.join() : site;
  const allowed = area === 'proxy' ? settings.allowedOrigins : [];
  if (origin === undefined && fetchSite === undefined) return null;
  const foreign = foreignOrigin({ origin, fetchSite, host: connectionOf(req).host }, allowed);
  if (foreign === null) return null;
  const remedy = area === 'proxy' ? ' Its origin can be put into WARDEN_ALLOWED_ORIGINS.' : '';
  return {
    status: 403,
    code: 'foreign_origin',
    title: 'Foreign origin',
    message: `A page of ${foreign} may not use this server.${remedy}`,
  };
}

const CLIENT_REFUSALS: Readonly<Record<Client['found'], string>> = {
  none: 'An API key is needed: make one in the console on the page Access, and send it as Authorization: Bearer or x-api-key.',
  unknown: 'The API key is not known here.',
  expired: 'The API key has expired.',
  revoked: 'The API key was revoked.',
  valid: 'The API key may not be used here.',
  internal: 'The API key may not be used here.',
};

function refusedClient({ caller, found }: Client): Refused {
  if (caller.kind !== 'anonymous') return notAllowed(caller);
  return { status: 401, code: 'invalid_api_key', title: 'No valid key', message: CLIENT_REFUSALS[found] };
}

function notAllowed(caller: Caller): Refused {
  const who = caller.kind === 'person' ? `${caller.name} is a ${caller.role}, and` : 'This';
  return { status: 403, code: 'not_allowed', title: 'Not allowed', message: `${who} needs the rights of an admin.` };
}

const NOT_SIGNED_IN: Readonly<Record<AccessMode, string>> = {
  open: 'Sign in first.',
  password: 'Sign in first.',
  first_run: 'Nobody can sign in yet: open the link that was printed at the start.',
  locked: 'The accounts cannot be read, since the database cannot be used; its log says why.',
};

function notSignedIn(access: Access, area: Area): Refused {
  const message =
    area === 'metrics'
      ? 'Sign in, or send the token of WARDEN_METRICS_TOKEN as Authorization: Bearer.'
      : NOT_SIGNED_IN[access.mode()];
  return { status: 401, code: 'not_signed_in', title: 'Not signed in', message };
}

function answer(res: ServerResponse, area: Area, { status, title, message }: Refused): null {
  // What was not read of the request would be taken for the next one's.
  res.setHeader('connection', 'close');
  if (status === 401) res.setHeader('www-authenticate', area === 'metrics' ? 'Bearer' : 'Cookie');
  if (area === 'page' || area === 'file')
    res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
  else sendProblem(res, new ProblemError(status, title, message));
  return null;
}

function toLogin(req: IncomingMessage, res: ServerResponse): null {
  const next = req.url === undefined || req.url === '/' ? '' : `?next=${encodeURIComponent(req.url)}`;
  res.writeHead(303, { location: `/login${next}`, 'cache-control': 'no-store', 'content-length': 0 }).end();
  return null;
}
