'use client';

import { memo } from 'react';
import { CartesianGrid, Line, LineChart, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import { ChartTooltip } from '#components/charts/chart-tooltip.tsx';
import { PALETTE } from '#components/charts/palette.ts';
import { bucketTitle, timeAxis } from '#components/charts/time-axis.ts';
import { formatSeconds } from '#lib/format/duration.ts';
import { formatExact } from '#lib/format/tokens.ts';
import type { RangeName } from '#lib/series/range.ts';
import type { LatencyPoint } from './latency-points.ts';

type Props = {
  readonly points: readonly LatencyPoint[];
  readonly range: RangeName;
  readonly bucketSeconds: number;
  readonly hidden: ReadonlySet<string>;
  readonly sentence: string;
};

const AXIS = { fontSize: 11, fill: PALETTE.muted };
const MARGIN = { top: 8, right: 4, bottom: 0, left: 0 };
const P50 = { stroke: PALETTE.accent, strokeWidth: 2, dot: { r: 1.5, fill: PALETTE.accent, strokeWidth: 0 } };
const P95 = {
  stroke: PALETTE.muted,
  strokeWidth: 1.5,
  strokeDasharray: '4 2',
  dot: { r: 1.5, fill: PALETTE.muted, strokeWidth: 0, strokeDasharray: '' },
};

/** The median and the 95th percentile over time; a bucket without requests is a gap. */
export const LatencyChart = memo(function LatencyChart({ points, range, bucketSeconds, hidden, sentence }: Props) {
  const axis = timeAxis(
    points.map((point) => point.time),
    range,
  );
  const tooltip = ({ active, label }: TooltipContentProps) => {
    const point = points.find(({ time }) => time === label);
    return active && point ? <Reading point={point} bucketSeconds={bucketSeconds} /> : null;
  };
  return (
    <LineChart
      data={[...points]}
      syncId="stats"
      responsive
      margin={MARGIN}
      role="img"
      aria-label={sentence}
      style={{ width: '100%', height: 200 }}
    >
      <CartesianGrid vertical={false} stroke={PALETTE.line} />
      <XAxis
        dataKey="time"
        ticks={axis.ticks}
        tickFormatter={axis.label}
        tick={AXIS}
        tickLine={false}
        minTickGap={20}
        axisLine={{ stroke: PALETTE.line }}
      />
      <YAxis width={52} tick={AXIS} tickLine={false} axisLine={false} tickCount={5} tickFormatter={formatSeconds} />
      <Tooltip content={tooltip} isAnimationActive={false} cursor={{ stroke: PALETTE.muted, strokeDasharray: '2 2' }} />
      {hidden.has('p95') ? null : <Line dataKey="p95" {...P95} isAnimationActive={false} activeDot={false} />}
      {hidden.has('p50') ? null : <Line dataKey="p50" {...P50} isAnimationActive={false} activeDot={false} />}
    </LineChart>
  );
});

function Reading({ point, bucketSeconds }: { readonly point: LatencyPoint; readonly bucketSeconds: number }) {
  const text = (value: number | null) => (value === null ? 'none finished' : formatSeconds(value));
  const lines = [
    { label: '95th percentile', color: PALETTE.muted, text: text(point.p95) },
    { label: 'Median', color: PALETTE.accent, text: text(point.p50) },
  ];
  return (
    <ChartTooltip
      title={bucketTitle(point.time, bucketSeconds)}
      lines={lines}
      note={`${formatExact(point.count)} ${point.count === 1 ? 'request' : 'requests'}`}
    />
  );
}
