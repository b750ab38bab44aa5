import type { IncomingMessage } from 'node:http';
import type { RequestRow } from '#server/store/store.ts';

/** What a trace is told of one request. Exactly one of the three ends it. */
export type RequestTrace = {
  /** For the engine, in place of the client's: its work becomes part of the same trace. */
  readonly traceparent: string;
  finished(row: RequestRow): void;
  /** The router answered itself, with one of its own error codes. */
  refused(code: string, status: number): void;
  /** The client left before anything was sent. */
  abandoned(): void;
};

/** Null where this request is not traced. */
export type BeginTrace = (req: IncomingMessage, path: string) => RequestTrace | null;
