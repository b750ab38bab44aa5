import type { z } from 'zod';
import { problem } from '#lib/contract/activity.ts';
import { goToLogin } from './login-address.ts';

/**
 * Why a call failed: nobody answered, the router answered with a problem, with an error that it did not explain, or with
 * something that this page does not understand.
 */
export type ApiFailure = 'unreachable' | 'problem' | 'unexplained' | 'malformed';

/** A failed call of the console API. `title` and `detail` are in English; failure-words.ts says them to the reader. */
export class ApiError extends Error {
  readonly failure: ApiFailure;
  readonly status: number | null;
  readonly title: string;
  readonly detail: string;
  readonly field: string | null;

  constructor(fields: Omit<ApiError, 'name' | 'message' | 'stack' | 'cause'>, cause?: unknown) {
    super(`${fields.title}: ${fields.detail}`, { cause });
    this.name = 'ApiError';
    this.failure = fields.failure;
    this.status = fields.status;
    this.title = fields.title;
    this.detail = fields.detail;
    this.field = fields.field;
  }
}

/** GETs a path of the console API and parses the answer with its schema. Throws ApiError. */
export function getJson<S extends z.ZodType>(path: string, schema: S, signal: AbortSignal): Promise<z.output<S>> {
  return call(path, { signal, headers: { accept: 'application/json' } }, schema);
}

/** Deletes what is at a path and parses the answer. Throws ApiError. */
export function deleteJson<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
  return call(path, { method: 'DELETE', headers: { accept: 'application/json' } }, schema);
}

/** Sends a JSON body and parses the answer. Throws ApiError. */
export function sendJson<S extends z.ZodType>(
  method: 'POST' | 'PATCH',
  path: string,
  body: unknown,
  schema: S,
): Promise<z.output<S>> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return call(path, { method, headers, body: JSON.stringify(body) }, schema);
}

async function call<S extends z.ZodType>(path: string, init: RequestInit, schema: S): Promise<z.output<S>> {
  const response = await reach(path, init);
  const body = await response.json().catch(() => undefined);
  if (response.status === 401) goToLogin();
  if (!response.ok) throw refused(response, body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError(
    {
      failure: 'malformed',
      status: response.status,
      title: 'The router answered something this page does not understand',
      detail: `${path}: ${issue ? `${issue.path.join('.') || 'the answer'}: ${issue.message}` : 'not JSON'}`,
      field: null,
    },
    parsed.error,
  );
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, cache: 'no-store' });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    const detail = `No answer from ${location.host}. Is the process still running?`;
    throw new ApiError(
      { failure: 'unreachable', status: null, title: 'The router cannot be reached', detail, field: null },
      cause,
    );
  }
}

function refused(response: Response, body: unknown): ApiError {
  const parsed = problem.safeParse(body);
  if (!parsed.success) {
    const detail = `The router answered ${response.status} without saying why.`;
    return new ApiError({
      failure: 'unexplained',
      status: response.status,
      title: 'That did not work',
      detail,
      field: null,
    });
  }
  const { title, detail, field = null } = parsed.data;
  return new ApiError({ failure: 'problem', status: response.status, title, detail, field });
}
