import { useMemo } from 'react';
import { type Mark, marksIn } from '#components/charts/marks.ts';
import type { EventList } from '#lib/contract/activity.ts';

type Series = { readonly buckets: readonly { readonly time: string }[]; readonly bucket_seconds: number };

/** The marks of a series' chart, the same array as long as nothing changed: the charts are drawn anew only then. */
export function useMarks(events: EventList['events'], series: Series): readonly Mark[] {
  return useMemo(() => {
    const times = series.buckets.map((bucket) => Date.parse(bucket.time));
    return marksIn(events, times, series.bucket_seconds);
  }, [events, series]);
}
