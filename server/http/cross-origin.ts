import type { IncomingMessage, ServerResponse } from 'node:http';

const PREFLIGHT_SECONDS = '600';

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/**
 * Lets a page of an allowed origin read what it is answered; never with cookies, which are the console's. True where the
 * request was a browser's question for permission and is answered with that.
 */
export function grantOrigin(allowed: readonly string[], req: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = req.headers;
  if (origin === undefined || !allowed.includes(origin)) return false;
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('vary', 'origin');
  if (!isPreflight(req)) {
    res.setHeader('access-control-expose-headers', 'x-warden-replica, x-warden-decision, x-request-id, retry-after');
    return false;
  }
  res.writeHead(204, {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': req.headers['access-control-request-headers'] ?? '',
    'access-control-max-age': PREFLIGHT_SECONDS,
  });
  res.end();
  return true;
}
