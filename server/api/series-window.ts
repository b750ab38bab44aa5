import { rangeName, type SeriesSpan, type WindowName } from '#lib/contract/series.ts';
import { customSpan, type Kept, LONGEST_SECONDS, type Span, spanBefore, spanOf } from '#lib/series/span.ts';
import { ProblemError } from '#server/http/respond.ts';
import type { ApiContext } from './context.ts';

/** What a call asks for: the window by name, and the stretch of time that it is now. */
export type AskedWindow = {
  readonly window: WindowName;
  readonly period: 'current' | 'previous';
  readonly span: Span;
};

type Call = { readonly context: Pick<ApiContext, 'store'>; readonly query: URLSearchParams };

const DAY = 86_400;
const SHORTEST_SECONDS = 60;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

/** Reads `window`, or `from` and `to`, and `period`; refuses what is not one of them, naming the field. */
export async function askedWindow({ context, query }: Call, nowMs: number): Promise<AskedWindow> {
  const period = query.get('period') ?? 'current';
  if (period !== 'current' && period !== 'previous') throw invalid('period must be current or previous.', 'period');
  const { window, span } = await askedSpan({ context, query }, nowMs);
  return { window, period, span: period === 'previous' ? spanBefore(span) : span };
}

async function askedSpan({ context, query }: Call, nowMs: number): Promise<{ window: WindowName; span: Span }> {
  if (query.has('from') || query.has('to')) {
    if (query.has('window')) throw invalid('Give either window, or from and to.', 'window');
    const { current } = await context.store.retention();
    const kept = { raw: current.rawHours * 3600, minutes: current.minuteDays * DAY };
    return { window: 'custom', span: askedStretch(query, nowMs / 1000, kept) };
  }
  const parsed = rangeName.safeParse(query.get('window') ?? '1h');
  if (!parsed.success) throw invalid(`window must be one of ${rangeName.options.join(', ')}.`, 'window');
  return { window: parsed.data, span: spanOf(parsed.data, nowMs) };
}

function askedStretch(query: URLSearchParams, now: number, kept: Kept): Span {
  const from = timeOf(query, 'from');
  const to = Math.min(timeOf(query, 'to'), now);
  if (from >= now) throw invalid('from is in the future.', 'from');
  if (to - from < SHORTEST_SECONDS) throw invalid('to must be at least a minute after from.', 'to');
  if (now - from > LONGEST_SECONDS) {
    throw invalid(`from is more than ${LONGEST_SECONDS / DAY} days ago; nothing is kept for longer.`, 'from');
  }
  return customSpan(from, to, now, kept);
}

function timeOf(query: URLSearchParams, field: 'from' | 'to'): number {
  const text = query.get(field) ?? '';
  const time = RFC_3339.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(time)) return Math.floor(time / 1000);
  throw invalid(`${field} must be a time with its zone, such as 2026-11-30T12:00:00Z.`, field);
}

function invalid(detail: string, field: string): ProblemError {
  return new ProblemError(400, 'Invalid request', detail, field);
}

/** What every series says of the time it covers. */
export function spanFields({ window, period, span }: AskedWindow, nowMs: number): SeriesSpan {
  return {
    window,
    period,
    from: new Date(span.from * 1000).toISOString(),
    to: new Date(span.to * 1000).toISOString(),
    bucket_seconds: span.bucketSeconds,
    last_bucket_filling: span.to * 1000 > nowMs,
  };
}
