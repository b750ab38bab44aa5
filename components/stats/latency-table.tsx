import { ChartTable } from '#components/charts/chart-table.tsx';
import { fileName } from '#components/charts/file-name.ts';
import type { LatencySeries } from '#lib/contract/series.ts';
import { formatSeconds } from '#lib/format/duration.ts';
import { formatDateTime } from '#lib/format/time.ts';
import { formatExact } from '#lib/format/tokens.ts';
import { type LatencyKind, latencyPoints } from './latency-points.ts';

type Props = { readonly title: string; readonly kind: LatencyKind; readonly series: LatencySeries };

/** The numbers of a latency chart, newest first. */
export function LatencyTable({ title, kind, series }: Props) {
  return (
    <ChartTable
      caption={`${title}, table`}
      file={`${fileName(title, series.window)}.csv`}
      columns={[
        { name: 'time', header: 'Bucket starts' },
        { name: 'p50_seconds', header: 'Median' },
        { name: 'p95_seconds', header: '95th percentile' },
        { name: 'requests', header: 'Requests' },
      ]}
      rows={latencyPoints(series, kind)
        .toReversed()
        .map((point) => ({
          key: String(point.time),
          text: [formatDateTime(point.time), text(point.p50), text(point.p95), formatExact(point.count)],
          raw: [new Date(point.time).toISOString(), point.p50, point.p95, point.count],
        }))}
    />
  );
}

function text(value: number | null): string {
  return value === null ? 'none' : formatSeconds(value);
}
