'use client';

import { useMemo } from 'react';
import { MarkList } from '#components/charts/mark-list.tsx';
import { marksIn } from '#components/charts/marks.ts';
import { needsDay } from '#components/charts/time-axis.ts';
import { type Asked, SERIES, useSeries } from '#components/data/series-queries.ts';
import type { EventList } from '#lib/contract/activity.ts';

type Props = {
  readonly asked: Asked;
  /** Null until they are known. */
  readonly events: EventList['events'] | null;
};

/** What the dashed lines on all charts of the page stand for. */
export function Changes({ asked, events }: Props) {
  const { data } = useSeries(SERIES.tokens, asked).current;
  const known = useMemo(() => {
    if (data === undefined || events === null) return null;
    const times = data.buckets.map(({ time }) => Date.parse(time));
    return {
      marks: marksIn(events, times, data.bucket_seconds),
      withDay: needsDay(times, data.bucket_seconds),
    };
  }, [events, data]);
  // Its line is there from the start, so that nothing moves when the answer comes.
  return <div className="min-h-5">{known === null ? null : <MarkList {...known} />}</div>;
}
