'use client';

import { useMemo } from 'react';
import { MarkList } from '#components/charts/mark-list.tsx';
import { marksIn } from '#components/charts/marks.ts';
import { type Asked, SERIES, useSeries } from '#components/data/series-queries.ts';
import type { EventList } from '#lib/contract/activity.ts';

type Props = { readonly asked: Asked; readonly events: EventList['events'] };

/** What the dashed lines on all charts of the page stand for. */
export function Changes({ asked, events }: Props) {
  const { data } = useSeries(SERIES.tokens, asked).current;
  const marks = useMemo(() => {
    if (data === undefined) return [];
    return marksIn(
      events,
      data.buckets.map(({ time }) => Date.parse(time)),
      data.bucket_seconds,
    );
  }, [events, data]);
  return <MarkList marks={marks} />;
}
