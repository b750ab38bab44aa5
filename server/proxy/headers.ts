import type { IncomingHttpHeaders } from 'node:http';
import { KEY_PREFIX, presentedKey } from '#lib/access/key-format.ts';

/** The header that pins a request to a data-parallel rank (vLLM 0.12 and later; SGLang reads the same name). */
export const RANK_HEADER = 'x-data-parallel-rank';

/** RFC 9110 7.6.1: these belong to one connection; whatever `Connection` names goes with them. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Not sent on besides: `host`, `content-length` and `expect` are the connection's to make; `accept-encoding` because
 * the usage in a stream is read on its way (and vLLM compresses nothing); cookies are the console's; the rest is set
 * by us.
 */
const NOT_FORWARDED = new Set([
  'host',
  'content-length',
  'expect',
  'accept-encoding',
  'cookie',
  'authorization',
  'x-api-key',
  'x-request-id',
  RANK_HEADER,
]);

/** Answers must not be able to set the console's cookies or to speak for the router. */
const NOT_RETURNED = new Set([
  'set-cookie',
  'x-request-id',
  'x-warden-replica',
  'x-warden-decision',
  'x-warden-session-source',
  'x-warden-queued-seconds',
]);

const MAX_RETRY_AFTER_SECONDS = 60;

type Outgoing = Record<string, string | string[]>;

/** Names listed in `Connection`: the sender meant them for this hop only. */
function connectionNames(headers: IncomingHttpHeaders): ReadonlySet<string> {
  const value = headers.connection;
  if (value === undefined) return new Set();
  return new Set(value.split(',').map((name) => name.trim().toLowerCase()));
}

function endToEnd(headers: IncomingHttpHeaders, dropped: ReadonlySet<string>): Outgoing {
  const named = connectionNames(headers);
  const kept: Outgoing = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_BY_HOP.has(name) || dropped.has(name) || named.has(name)) continue;
    kept[name] = value;
  }
  return kept;
}

export type UpstreamHeaderOptions = {
  /** The engine's key from the configuration; null: it has none of its own. */
  readonly apiKey: string | null;
  /** The client's key is the engine's to judge: it is passed on where `apiKey` is null, as the Bearer that vLLM reads. */
  readonly passesClientKey: boolean;
  /** Exactly one copy goes upstream; null: none. */
  readonly rank: number | null;
  readonly requestId: string;
  /** The router's own span; null: the client's goes on as it is. */
  readonly traceparent: string | null;
};

/** Request headers for the engine. Ours are added last, so that a client's `Connection` list cannot delete them. */
export function upstreamHeaders(headers: IncomingHttpHeaders, options: UpstreamHeaderOptions): Outgoing {
  const out = endToEnd(headers, NOT_FORWARDED);
  // Some clients put their key into a header of its own besides.
  for (const [name, value] of Object.entries(out)) if (String(value).includes(KEY_PREFIX)) delete out[name];
  const own = options.apiKey === null ? null : `Bearer ${options.apiKey}`;
  const authorization = own ?? (options.passesClientKey ? clientAuthorization(headers) : null);
  if (authorization !== null) out.authorization = authorization;
  if (options.rank !== null) out[RANK_HEADER] = String(options.rank);
  out['x-request-id'] = options.requestId;
  if (options.traceparent !== null) out.traceparent = options.traceparent;
  return out;
}

/** A key of ours is never the engine's to see, even where none was needed. */
function clientAuthorization(headers: IncomingHttpHeaders): string | null {
  const key = presentedKey(headers);
  return key === null || key.includes(KEY_PREFIX) ? null : (headers.authorization ?? `Bearer ${key}`);
}

/** The engine's response headers for the client. A longer `retry-after` than 60 s is cut: agents give up beyond. */
export function clientHeaders(headers: IncomingHttpHeaders): Outgoing {
  const out = endToEnd(headers, NOT_RETURNED);
  const retryAfter = Number(headers['retry-after']);
  if (retryAfter > MAX_RETRY_AFTER_SECONDS) out['retry-after'] = String(MAX_RETRY_AFTER_SECONDS);
  return out;
}

/** Reads the client's own pin. `invalid` carries the text it sent, for the message. */
export type ClientPin =
  | { readonly kind: 'absent' }
  | { readonly kind: 'rank'; readonly rank: number }
  | { readonly kind: 'invalid'; readonly text: string };

/**
 * A pin must be the number of a replica that is there: the engine silently ignores other text, and answers a number out
 * of range with 400, or with an error inside a 200 stream. Two copies arrive joined by a comma.
 */
export function clientPin(headers: IncomingHttpHeaders, replicas: readonly number[]): ClientPin {
  const value = headers[RANK_HEADER];
  if (value === undefined) return { kind: 'absent' };
  const text = Array.isArray(value) ? value.join(', ') : value.trim();
  const rank = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return replicas.includes(rank) ? { kind: 'rank', rank } : { kind: 'invalid', text };
}
