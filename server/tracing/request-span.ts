import type { IncomingMessage } from 'node:http';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { shownKey } from '#server/router/shown-key.ts';
import type { RequestRow } from '#server/store/store.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

/** How OpenTelemetry's conventions for generative AI call what is done on a path. */
const OPERATIONS: Readonly<Record<string, string>> = {
  '/v1/messages': 'chat',
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'chat',
  '/v1/completions': 'text_completion',
  '/v1/embeddings': 'embeddings',
};

/** A span of one request, from being accepted to its end. It carries what was decided, never what was said. */
export function beginRequestSpan(tracer: Tracer, { headers, method }: IncomingMessage, path: string) {
  const client = parseTraceparent(headers.traceparent);
  const parent = client === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, client);
  const operation = OPERATIONS[path] ?? 'other';
  const attributes = { 'http.request.method': method ?? '', 'url.path': path, 'gen_ai.operation.name': operation };
  const span = tracer.startSpan(operation, { kind: SpanKind.SERVER, attributes }, parent);
  return {
    traceparent: formatTraceparent(span.spanContext()),
    finished: (row: RequestRow): void => finish(span, operation, row),
    refused(code: string, status: number): void {
      span.setAttributes({ 'http.response.status_code': status, 'error.type': code });
      span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      span.end();
    },
    abandoned(): void {
      span.setAttribute('warden.outcome', 'client_left');
      span.end();
    },
  };
}

function finish(span: Span, operation: string, row: RequestRow): void {
  span.updateName(`${operation} ${row.model}`);
  span.setAttributes(known(attributesOf(row)));
  if (row.ttfbMs !== null) span.addEvent('first byte', row.startedAt + row.ttfbMs);
  const isFault = row.outcome === 'engine_error' || row.outcome === 'upstream_failed' || row.status >= 500;
  if (isFault) {
    span.setAttribute('error.type', row.status >= 500 ? String(row.status) : row.outcome);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

function attributesOf(row: RequestRow): Readonly<Record<string, string | number | null>> {
  return {
    'gen_ai.request.model': row.model,
    'gen_ai.usage.input_tokens': row.promptTokens,
    'gen_ai.usage.output_tokens': row.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': row.cachedTokens,
    'http.response.status_code': row.status,
    'warden.request_id': row.id,
    'warden.decision': row.decision,
    'warden.reason': row.reason,
    'warden.replica': row.replica,
    'warden.outcome': row.outcome,
    'warden.client': row.client,
    'warden.session': row.sessionHash === null ? null : shownKey(row.sessionHash),
    'warden.session_source': row.sessionSource,
    'warden.queued_seconds': row.queuedMs === null ? null : row.queuedMs / 1000,
    'warden.ttfb_seconds': row.ttfbMs === null ? null : row.ttfbMs / 1000,
  };
}

/** What is not known has no attribute. */
function known(values: Readonly<Record<string, string | number | null>>): Attributes {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}
