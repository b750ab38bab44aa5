import { Pool } from 'undici';
import { boundedText } from '#server/network/bounded-text.ts';
import { type AllowedHosts, guardedConnect } from '#server/network/guarded-connect.ts';
import { connectionFailure, EngineError, isBrokenConnection } from './engine-error.ts';

export type EngineAnswer = { readonly status: number; readonly body: string };

/** Bounded GETs to one engine process. `url` is fit to be shown: without user, password and query. */
export type EngineClient = {
  readonly url: string;
  /**
   * The answer whatever its status. Throws an `EngineError` where none comes in time, or the signal's reason.
   * `patience`: how many times the usual time-out it may take; 1.
   */
  get(path: string, signal: AbortSignal, patience?: number): Promise<EngineAnswer>;
  close(): Promise<void>;
};

type EngineClientOptions = {
  readonly url: string;
  readonly apiKey: string | null;
  /** For a whole call, its body included. */
  readonly timeoutMs: number;
  readonly allowedHosts?: AllowedHosts | undefined;
};

const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** uvicorn closes a connection that was idle for 5 s; a request written at that instant is lost. */
const KEEP_ALIVE_MS = 3000;

/** Two connections of its own, so that a poll never waits behind the requests of the data path. */
export function createEngineClient({
  url,
  apiKey,
  timeoutMs,
  allowedHosts = () => [],
}: EngineClientOptions): EngineClient {
  const { origin, pathname } = new URL(url);
  const basePath = pathname.replace(/\/+$/, '');
  const connectMs = timeoutMs / 2;
  const pool = new Pool(origin, {
    connections: 2,
    pipelining: 1,
    connect: guardedConnect({ timeout: connectMs }, allowedHosts),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // One deadline for the whole call stands instead of a time-out for each of its parts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const headers = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  const shown = `${origin}${basePath}`;

  async function attempt(path: string, signal: AbortSignal): Promise<EngineAnswer> {
    const answer = await pool.request({ method: 'GET', path: `${basePath}${path}`, headers, signal });
    const body = await boundedText(answer.body, MAX_BODY_BYTES);
    if (body === null) throw new EngineError(`GET ${shown}${path}: the answer is larger than 16 MB`);
    return { status: answer.statusCode, body };
  }

  return {
    url: shown,
    async get(path, signal, patience = 1) {
      const limitMs = timeoutMs * patience;
      const late = new EngineError(`GET ${shown}${path}: no answer within ${limitMs / 1000} s`);
      const deadline = startDeadline(limitMs, late, signal);
      try {
        return await attempt(path, deadline.signal).catch((error: unknown) => {
          if (!isBrokenConnection(error) || deadline.signal.aborted) throw error;
          return attempt(path, deadline.signal);
        });
      } catch (error) {
        if (deadline.signal.aborted) throw deadline.signal.reason;
        if (error instanceof EngineError) throw error;
        const why = connectionFailure(error, connectMs / 1000);
        throw new EngineError(`GET ${shown}${path}: ${why}`, { cause: error });
      } finally {
        deadline.clear();
      }
    },
    close: () => pool.destroy(),
  };
}

/** Written out because `AbortSignal.any` keeps every short-lived signal on the long-lived one it follows. */
function startDeadline(ms: number, reason: Error, outer: AbortSignal) {
  const controller = new AbortController();
  const follow = () => controller.abort(outer.reason);
  if (outer.aborted) follow();
  outer.addEventListener('abort', follow, { once: true });
  const timer = setTimeout(() => controller.abort(reason), ms).unref();
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      outer.removeEventListener('abort', follow);
    },
  };
}
