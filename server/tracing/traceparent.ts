import type { SpanContext } from '@opentelemetry/api';

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const NOTHING = /^0+$/;

/** The client's span, as W3C Trace Context has it in a header; null where there is none or it is malformed. */
export function parseTraceparent(header: string | string[] | undefined): SpanContext | null {
  if (typeof header !== 'string') return null;
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(header.trim()) ?? [];
  if (traceId === '' || NOTHING.test(traceId) || NOTHING.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`;
}
