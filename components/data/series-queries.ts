import type { UseQueryResult } from '@tanstack/react-query';
import type { z } from 'zod';
import { eventList } from '#lib/contract/activity.ts';
import {
  admissionSeries,
  decisionSeries,
  errorSeries,
  latencySeries,
  replicaSeries,
  tokenSeries,
} from '#lib/contract/series.ts';
import { RANGES, type RangeName } from '#lib/series/range.ts';
import type { ApiError } from './client.ts';
import { usePoll } from './poll.ts';

/** A stretch of time of one's own, RFC 3339. */
export type Stretch = { readonly from: string; readonly to: string };

/** What the charts of a page are asked for. */
export type Asked = {
  /** Null: all models. */
  readonly model: string | null;
  readonly window: RangeName | Stretch;
  /** Whether the period before is asked for too. */
  readonly compare: boolean;
};

/** A series of `/api/stats`, and the shape of its answer. */
export type SeriesCall<S extends z.ZodType> = { readonly name: string; readonly schema: S };

export const SERIES = {
  tokens: { name: 'tokens', schema: tokenSeries },
  latency: { name: 'latency', schema: latencySeries },
  decisions: { name: 'decisions', schema: decisionSeries },
  errors: { name: 'errors', schema: errorSeries },
  replicas: { name: 'replicas', schema: replicaSeries },
  admission: { name: 'admission', schema: admissionSeries },
} as const;

type Query<S extends z.ZodType> = UseQueryResult<z.output<S>, ApiError>;

const LIST_MS = 5_000;
const SLOWEST_MS = 60_000;

/** A series, and that of the period before; null where that is not compared. */
export function useSeries<S extends z.ZodType>(
  call: SeriesCall<S>,
  asked: Asked,
): { readonly current: Query<S>; readonly before: Query<S> | null } {
  const current = useSeriesOf(call, asked, 'current');
  const before = useSeriesOf(call, asked, 'previous');
  return { current, before: asked.compare ? before : null };
}

function useSeriesOf<S extends z.ZodType>(
  { name, schema }: SeriesCall<S>,
  asked: Asked,
  period: 'current' | 'previous',
): Query<S> {
  const search = searchOf(asked);
  if (period === 'previous') search.set('period', period);
  return usePoll({
    key: ['series', name, asked.model, asked.window, period],
    path: `/api/stats/${name}?${search}`,
    schema,
    everyMs: everyMs(asked.window, period),
    keepPrevious: true,
    enabled: period === 'current' || asked.compare,
  });
}

/** What happened in the window. */
export function useWindowEvents(asked: Asked) {
  return usePoll({
    key: ['series', 'events', asked.model, asked.window],
    path: `/api/events?${searchOf(asked)}`,
    schema: eventList,
    everyMs: Math.min(everyMs(asked.window, 'current'), LIST_MS * 2),
    keepPrevious: true,
  });
}

function searchOf({ model, window }: Asked): URLSearchParams {
  const search = new URLSearchParams(typeof window === 'string' ? { window } : window);
  if (model !== null) search.set('model', model);
  return search;
}

/**
 * Short windows move with every request. A bar of a longer one changes slowly, but nobody waits hours for the last; and
 * what is over changes no more.
 */
function everyMs(window: Asked['window'], period: 'current' | 'previous'): number {
  if (typeof window !== 'string') return SLOWEST_MS;
  const { seconds, bucketSeconds } = RANGES[window];
  if (period === 'previous') return Math.min(Math.max(bucketSeconds * 1000, LIST_MS), SLOWEST_MS);
  return seconds <= 3600 ? LIST_MS : Math.min(bucketSeconds * 1000, SLOWEST_MS);
}
