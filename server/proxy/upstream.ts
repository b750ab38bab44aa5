import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import type { Limits } from '#lib/config/schema.ts';
import { type AllowedHosts, guardedConnect } from '#server/network/guarded-connect.ts';

/**
 * Shorter than the 5 s after which uvicorn closes an idle connection (vLLM's default): a request written at that
 * moment would be lost.
 */
const KEEP_ALIVE_MS = 4000;

/** How an exchange with an engine can fail. `unreachable`: no connection came about, so nothing was sent. */
export type UpstreamFailure = {
  readonly kind: 'unreachable' | 'reset' | 'timeout' | 'broken';
  readonly message: string;
};

export type ExchangeEvents = {
  onResponse(status: number, headers: IncomingHttpHeaders): void;
  /** Returns false to be paused until `Exchange.resume`. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  onFailure(failure: UpstreamFailure): void;
};

export type Exchange = {
  /** Ends the exchange at once, connected or not; no event follows. */
  abort(): void;
  resume(): void;
};

export type UpstreamRequest = {
  readonly url: string;
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
};

export type Upstreams = {
  /** The longest silence that is borne inside an answer, in ms, from the engine and from a client that should read. */
  readonly silenceMs: number;
  send(request: UpstreamRequest, events: ExchangeEvents): Exchange;
  close(): Promise<void>;
};

/** One connection pool per engine URL, made when first used. Waiting is the engine's to do: connections are unbounded. */
export function createUpstreams(limits: Limits, allowedHosts: AllowedHosts = () => []): Upstreams {
  const silenceMs = limits.body_timeout_seconds * 1000;
  const options: Pool.Options = {
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: limits.headers_timeout_seconds * 1000,
    bodyTimeout: silenceMs,
    connect: guardedConnect({ timeout: limits.connect_timeout_seconds * 1000 }, allowedHosts),
  };
  /** By the engine's URL; engines behind one origin, under several paths, share nothing that matters. */
  const engines = new Map<string, { readonly pool: Pool; readonly prefix: string }>();
  const engineOf = (url: string) => {
    const known = engines.get(url);
    if (known !== undefined) return known;
    const { origin, pathname } = new URL(url);
    const engine = { pool: new Pool(origin, options), prefix: pathname.replace(/\/$/, '') };
    engines.set(url, engine);
    return engine;
  };
  return {
    silenceMs,
    send({ url, path, headers, body }, events) {
      const { pool, prefix } = engineOf(url);
      return exchange(pool, { method: 'POST', path: prefix + path, headers, body }, events);
    },
    async close() {
      await Promise.all([...engines.values()].map(({ pool }) => pool.destroy()));
    },
  };
}

function exchange(pool: Pool, options: Dispatcher.DispatchOptions, events: ExchangeEvents): Exchange {
  let controller: Dispatcher.DispatchController | null = null;
  let aborted = false;
  pool.dispatch(options, {
    onRequestStart(started) {
      controller = started;
      if (aborted) started.abort(new Error('the client left'));
    },
    onResponseStart(_controller, status, headers) {
      if (status >= 200 && !aborted) events.onResponse(status, headers);
    },
    onResponseData(started, chunk) {
      if (!aborted && !events.onData(chunk)) started.pause();
    },
    onResponseEnd() {
      if (!aborted) events.onEnd();
    },
    onResponseError(_controller, error) {
      if (!aborted) events.onFailure(failureOf(error));
    },
  });
  return {
    abort() {
      aborted = true;
      controller?.abort(new Error('the client left'));
    },
    resume: () => controller?.resume(),
  };
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name could not be resolved',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ERR_REFUSED_ADDRESS: 'its name leads to a link-local or cloud metadata address',
};
const RESET: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'the engine closed the connection',
  ECONNRESET: 'the engine reset the connection',
  EPIPE: 'the engine closed the connection',
};
const TIMEOUT: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: 'the engine sent no response headers in time',
  UND_ERR_BODY_TIMEOUT: 'the engine fell silent in the middle of its response',
};

function failureOf(error: Error): UpstreamFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // A host name with several addresses fails with an AggregateError that carries the first address's code.
  const unreachable = UNREACHABLE[code];
  if (unreachable !== undefined) return { kind: 'unreachable', message: unreachable };
  const reset = RESET[code];
  if (reset !== undefined) return { kind: 'reset', message: reset };
  const timeout = TIMEOUT[code];
  if (timeout !== undefined) return { kind: 'timeout', message: timeout };
  return { kind: 'broken', message: `the engine's answer broke: ${error.message}` };
}
