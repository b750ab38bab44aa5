import type { ServerResponse } from 'node:http';
import type { Problem } from '#lib/contract/activity.ts';

/** A fault of a request to the console's API, answered as RFC 9457 problem details. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly title: string;
  readonly field: string | undefined;

  constructor(status: number, title: string, detail: string, field?: string) {
    super(detail);
    this.status = status;
    this.title = title;
    this.field = field;
  }
}

/** Answers with JSON that must not be cached: it is the state of this moment. */
export function sendJson(res: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(body);
}

export function sendProblem(res: ServerResponse, error: ProblemError): void {
  const problem: Problem = {
    type: 'about:blank',
    title: error.title,
    status: error.status,
    detail: error.message,
    ...(error.field === undefined ? {} : { field: error.field }),
  };
  const body = JSON.stringify(problem);
  // What was not read of the request would be taken for the next one.
  if (!res.req.complete) res.setHeader('connection', 'close');
  res.writeHead(error.status, {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(body);
}
