import { errors } from 'undici';

/** An engine that could not be reached or understood. The message is a sentence for a person, without credentials. */
export class EngineError extends Error {
  /** The HTTP status where the engine answered with one that is not a success. */
  readonly status: number | null;

  constructor(message: string, options: { cause?: unknown; status?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = 'EngineError';
    this.status = options.status ?? null;
  }
}

/** Why a request got no answer, in plain words. `connectSeconds`: the time-out for the connection. */
export function connectionFailure(error: unknown, connectSeconds: number): string {
  const code = errorCode(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return `no connection within ${connectSeconds} s`;
  const known = PLAIN_WORDS.get(code);
  if (known !== undefined) return known;
  if (error instanceof errors.HTTPParserError) return 'the answer is not HTTP';
  if (code.includes('CERT') || code.includes('TLS') || code.includes('SSL')) return `TLS failed (${code})`;
  return error instanceof Error ? error.message : String(error);
}

/** True where the connection broke under the request, as an idle one that the engine has just closed does. */
export function isBrokenConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(errorCode(error));
}

/** What an HTTP status means here; null for a success. */
export function statusFailure(status: number, hasKey: boolean): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `HTTP ${status}: a redirect, which is not followed`;
  if (status === 401 || status === 403) {
    return `HTTP ${status}: the engine ${hasKey ? 'refuses the configured API key' : 'wants an API key'}`;
  }
  if (status === 404) return 'HTTP 404: no such endpoint (the address is that of a vLLM server, without /v1)';
  return `HTTP ${status}`;
}

const PLAIN_WORDS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ENOTFOUND', 'no such host'],
  ['EAI_AGAIN', 'the host name could not be looked up'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['ECONNRESET', 'the connection was closed before an answer came'],
  ['EPIPE', 'the connection was closed before an answer came'],
  ['UND_ERR_SOCKET', 'the connection was closed before an answer came'],
  ['EPROTO', 'TLS failed (https where http is spoken?)'],
]);

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
