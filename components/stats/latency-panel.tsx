'use client';

import { useMemo, useState } from 'react';
import { ChartTable } from '#components/charts/chart-table.tsx';
import { useHiddenSeries } from '#components/charts/hidden-series.ts';
import { Legend } from '#components/charts/legend.tsx';
import { PALETTE } from '#components/charts/palette.ts';
import { TableToggle } from '#components/charts/table-toggle.tsx';
import { useLatency } from '#components/data/queries.ts';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { LatencySeries } from '#lib/contract/series.ts';
import { formatSeconds } from '#lib/format/duration.ts';
import { formatDateTime } from '#lib/format/time.ts';
import { formatExact } from '#lib/format/tokens.ts';
import type { RangeName } from '#lib/series/range.ts';
import { LatencyChart } from './charts.ts';
import { type LatencyKind, type LatencyPoint, latencyPoints, latencySentence } from './latency-points.ts';

const ENTRIES = [
  { key: 'p50', label: 'Median', color: PALETTE.accent, dashed: false },
  { key: 'p95', label: '95th percentile', color: PALETTE.muted, dashed: true },
];

type Props = {
  readonly title: string;
  readonly kind: LatencyKind;
  readonly model: string | null;
  readonly range: RangeName;
};

/** One of the two times a request takes, over the window. */
export function LatencyPanel({ title, kind, model, range }: Props) {
  const query = useLatency(model, range);
  const [asTable, setAsTable] = useState(false);
  return (
    <Card title={title} actions={<TableToggle shown={asTable} onChange={setAsTable} what={title} />} flush>
      <PollState query={query} loading={<Skeleton className="m-4 h-56" />}>
        {(series) => (
          <div className={query.isPlaceholderData ? 'opacity-50' : undefined}>
            <Figure title={title} kind={kind} series={series} asTable={asTable} />
          </div>
        )}
      </PollState>
    </Card>
  );
}

type FigureProps = Pick<Props, 'title' | 'kind'> & { readonly series: LatencySeries; readonly asTable: boolean };

function Figure({ title, kind, series, asTable }: FigureProps) {
  const { hidden, toggle } = useHiddenSeries();
  const points = useMemo(() => latencyPoints(series, kind), [series, kind]);
  return (
    <>
      <div className="px-4 pt-3 pb-3">
        <Legend entries={ENTRIES} hidden={hidden} onToggle={toggle} />
        <div className="mt-1 h-50">
          <LatencyChart
            points={points}
            range={series.window}
            bucketSeconds={series.bucket_seconds}
            hidden={hidden}
            sentence={latencySentence(title, points, series.window)}
          />
        </div>
      </div>
      {asTable ? <Numbers title={title} points={points} range={series.window} /> : null}
    </>
  );
}

type NumbersProps = { readonly title: string; readonly points: readonly LatencyPoint[]; readonly range: RangeName };

function Numbers({ title, points, range }: NumbersProps) {
  const text = (value: number | null) => (value === null ? 'none' : formatSeconds(value));
  return (
    <ChartTable
      caption={title}
      file={`warden-${title.toLowerCase().replaceAll(' ', '-')}-${range}.csv`}
      columns={[
        { name: 'time', header: 'Bucket starts' },
        { name: 'p50_seconds', header: 'Median' },
        { name: 'p95_seconds', header: '95th percentile' },
        { name: 'requests', header: 'Requests' },
      ]}
      rows={points.toReversed().map((point) => ({
        key: String(point.time),
        text: [formatDateTime(point.time), text(point.p50), text(point.p95), formatExact(point.count)],
        raw: [new Date(point.time).toISOString(), point.p50, point.p95, point.count],
      }))}
    />
  );
}
