import type { ServerResponse } from 'node:http';
import type { ApiKind } from '#lib/routing/types.ts';

/** An error of the router's own. `retryAfterSeconds` is never above 60: Claude Code gives up at once beyond. */
export type ApiError = {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 421 | 429 | 500 | 502 | 503 | 504;
  readonly message: string;
  readonly code: string;
  readonly param?: string;
  readonly retryAfterSeconds?: number;
  /** The rest of the request body was not read: the connection cannot be used again. */
  readonly closeConnection?: boolean;
};

const MAX_RETRY_AFTER_SECONDS = 60;

/** Error types as Anthropic's and OpenAI's own APIs name them; clients switch on these words. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  502: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};
const OPENAI_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  500: 'server_error',
  502: 'server_error',
  503: 'server_error',
  504: 'server_error',
};

/** Answers with an error in the shape of the API that was called. The response's headers must not have been sent. */
export function sendApiError(res: ServerResponse, api: ApiKind, error: ApiError): void {
  const body = JSON.stringify(api === 'messages' ? anthropicBody(error) : openaiBody(error));
  res.statusCode = error.status;
  res.setHeader('content-type', 'application/json');
  res.setHeader('content-length', Buffer.byteLength(body));
  if (error.retryAfterSeconds !== undefined) {
    res.setHeader('retry-after', String(Math.min(error.retryAfterSeconds, MAX_RETRY_AFTER_SECONDS)));
  }
  if (error.closeConnection === true) res.setHeader('connection', 'close');
  res.end(body);
}

function openaiBody(error: ApiError): object {
  const type = OPENAI_TYPES[error.status] ?? 'invalid_request_error';
  return { error: { message: error.message, type, param: error.param ?? null, code: error.code } };
}

function anthropicBody(error: ApiError): object {
  const type = ANTHROPIC_TYPES[error.status] ?? 'invalid_request_error';
  return { type: 'error', error: { type, message: error.message } };
}
