'use client';

import { useMemo, useRef } from 'react';
import { ChartCard } from '#components/charts/chart-card.tsx';
import { fileName } from '#components/charts/file-name.ts';
import { useHiddenSeries } from '#components/charts/hidden-series.ts';
import { Legend } from '#components/charts/legend.tsx';
import { PALETTE } from '#components/charts/palette.ts';
import { PngButton } from '#components/charts/png-button.tsx';
import { useLatency } from '#components/data/queries.ts';
import { Empty } from '#components/ui/empty.tsx';
import type { EventList } from '#lib/contract/activity.ts';
import type { LatencySeries } from '#lib/contract/series.ts';
import type { RangeName } from '#lib/series/range.ts';
import { LatencyChart } from './charts.ts';
import { type LatencyKind, latencyPoints, latencySentence } from './latency-points.ts';
import { LatencyTable } from './latency-table.tsx';
import { useMarks } from './marks.ts';
import { pictureNote, RANGE_WORDS } from './range-words.ts';

const ENTRIES = [
  { key: 'p50', label: 'Median', color: PALETTE.accent, dashed: false },
  { key: 'p95', label: '95th percentile', color: PALETTE.muted, dashed: true },
];

type Props = {
  readonly title: string;
  readonly kind: LatencyKind;
  readonly model: string | null;
  readonly range: RangeName;
  readonly events: EventList['events'];
};

/** One of the two times a request takes, over the window. */
export function LatencyPanel({ title, kind, model, range, events }: Props) {
  return (
    <ChartCard
      title={title}
      query={useLatency(model, range)}
      loadingClass="h-[230px]"
      chart={(series) => <Figure title={title} kind={kind} model={model} series={series} events={events} />}
      table={(series) => <LatencyTable title={title} kind={kind} series={series} />}
    />
  );
}

type FigureProps = Pick<Props, 'title' | 'kind' | 'model' | 'events'> & { readonly series: LatencySeries };

function Figure({ title, kind, model, series, events }: FigureProps) {
  const { hidden, toggle } = useHiddenSeries();
  const chart = useRef<HTMLDivElement>(null);
  const points = useMemo(() => latencyPoints(series, kind), [series, kind]);
  const marks = useMarks(events, series);
  if (points.every((point) => point.p50 === null)) {
    return <Empty title={`No request finished in ${RANGE_WORDS[series.window]}`} />;
  }
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <Legend entries={ENTRIES} hidden={hidden} onToggle={toggle} />
        <PngButton
          figure={chart}
          file={`${fileName(title, series.window)}.png`}
          title={title}
          note={pictureNote(series, model)}
          legend={ENTRIES.filter(({ key }) => !hidden.has(key))}
        />
      </div>
      <div ref={chart} className="mt-1 min-h-[200px]">
        <LatencyChart
          points={points}
          marks={marks}
          range={series.window}
          bucketSeconds={series.bucket_seconds}
          hidden={hidden}
          sentence={latencySentence(title, points, series.window)}
        />
      </div>
    </>
  );
}
