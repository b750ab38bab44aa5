import type { IncomingMessage } from 'node:http';
import type { Caller } from '#lib/access/caller.ts';
import { presentedKeys } from '#lib/access/key-format.ts';
import { foreignOrigin } from '#lib/access/origin.ts';
import { readSessionCookie } from '#lib/access/session-cookie.ts';
import type { Access } from './access.ts';
import type { FoundKey } from './api-keys.ts';
import { isSameSecret } from './tokens.ts';

const ANONYMOUS: Caller = { kind: 'anonymous' };
const LOCAL: Caller = { kind: 'local' };

/** Who asks for a page, or for the console's API: by the cookie of a session, or by being on this machine. */
export function consoleCaller(access: Access, req: IncomingMessage): Caller {
  const mode = access.mode();
  if (mode === 'open') return LOCAL;
  return mode === 'password' ? personOf(access, req) : ANONYMOUS;
}

/** Who asks for `/metrics`: also who has the token for it. */
export function metricsCaller(access: Access, req: IncomingMessage): Caller {
  const { metricsToken } = access.settings;
  const given = /^Bearer\s+(.+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (metricsToken !== null && given !== undefined && isSameSecret(given, metricsToken)) return { kind: 'metrics' };
  return consoleCaller(access, req);
}

/** Who asks for what a warden tells its fellows: also another warden that proves to be one. */
export function fellowCaller(access: Access, req: IncomingMessage): Caller {
  const proof = /^Warden\s+([\w-]+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (proof !== undefined && access.fellows?.isProof(proof) === true) return { kind: 'fellow' };
  return consoleCaller(access, req);
}

/** Who sends a request to a model; `found` tells why a key was no good. */
export type Client = { readonly caller: Caller; readonly found: FoundKey['kind'] | 'none' };

/**
 * By a key, else by the session of the console, whose page for connecting a client sends a test turn. Where no key is
 * needed, whatever the client presents is the engine's to judge.
 */
export function clientCaller(access: Access, req: IncomingMessage): Client {
  let bad: Exclude<FoundKey['kind'], 'valid' | 'internal'> | null = null;
  for (const presented of presentedKeys(req.headers)) {
    const found = access.keys.find(presented);
    if (found.kind === 'valid') return { caller: { kind: 'key', key: found.key }, found: 'valid' };
    if (found.kind === 'internal') return { caller: { kind: 'internal' }, found: 'internal' };
    bad = found.kind;
  }
  if (bad === 'expired' || bad === 'revoked') return { caller: ANONYMOUS, found: bad };
  if (!access.areKeysRequired()) return { caller: LOCAL, found: bad ?? 'none' };
  if (bad !== null || access.mode() !== 'password' || isFromElsewhere(access, req))
    return { caller: ANONYMOUS, found: bad ?? 'none' };
  return { caller: personOf(access, req), found: 'none' };
}

/** A page of an allowed origin is let in by its key alone, never by the cookie of whoever looks at it. */
function isFromElsewhere(access: Access, req: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = req.headers;
  const { host } = access.connectionOf(req);
  return foreignOrigin({ origin, host, fetchSite: Array.isArray(site) ? site.join() : site }, []) !== null;
}

function personOf(access: Access, req: IncomingMessage): Caller {
  const token = sessionToken(access, req);
  const found = token === null ? null : access.sessions.find(token);
  if (found === null) return ANONYMOUS;
  const { id, name, role } = found.person;
  return { kind: 'person', id, name, role, tokenHash: found.session.tokenHash };
}

function sessionToken(access: Access, req: IncomingMessage): string | null {
  const { cookie } = req.headers;
  return cookie === undefined ? null : readSessionCookie(cookie, access.connectionOf(req).isTls);
}

/**
 * Asks the memory of the wardens for the session of a cookie that says nothing here; null where there is nothing to ask,
 * as with every key.
 */
export function recallCaller(access: Access, req: IncomingMessage): Promise<void> | null {
  const token = sessionToken(access, req);
  return token === null || presentedKeys(req.headers).length > 0 ? null : access.recall(token);
}
