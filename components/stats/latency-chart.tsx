'use client';

import { memo } from 'react';
import { Line, LineChart, Tooltip, type TooltipContentProps } from 'recharts';
import { CHART, MarkLines, TimeAxis, ValueAxis } from '#components/charts/axes.tsx';
import { ChartTooltip } from '#components/charts/chart-tooltip.tsx';
import type { Mark } from '#components/charts/marks.ts';
import { PALETTE } from '#components/charts/palette.ts';
import { bucketTitle } from '#components/charts/time-axis.ts';
import type { WindowName } from '#lib/contract/series.ts';
import { formatSeconds, formatSecondsTick } from '#lib/format/duration.ts';
import { formatExact } from '#lib/format/tokens.ts';
import type { LatencyPoint } from './latency-points.ts';

type Props = {
  readonly points: readonly LatencyPoint[];
  readonly marks: readonly Mark[];
  readonly range: WindowName;
  readonly bucketSeconds: number;
  readonly hidden: ReadonlySet<string>;
  readonly sentence: string;
};

const STILL = { isAnimationActive: false, activeDot: false } as const;
const CURSOR = { stroke: PALETTE.muted, strokeDasharray: '2 2' };
const P50 = { stroke: PALETTE.accent, strokeWidth: 2, dot: { r: 1.5, fill: PALETTE.accent, strokeWidth: 0 } };
const P95 = {
  stroke: PALETTE.muted,
  strokeWidth: 1.5,
  strokeDasharray: '4 2',
  dot: { r: 1.5, fill: PALETTE.muted, strokeWidth: 0, strokeDasharray: '' },
};

/** The median and the 95th percentile over time; a bucket in which nothing finished is a gap. */
export const LatencyChart = memo(function LatencyChart(props: Props) {
  const { points, marks, range, hidden, sentence } = props;
  return (
    <LineChart {...CHART} data={[...points]} role="img" aria-label={sentence} style={{ width: '100%', height: 200 }}>
      <TimeAxis times={points.map((point) => point.time)} range={range} />
      <ValueAxis ticks={5} format={formatSecondsTick} />
      <Tooltip content={reader(props)} isAnimationActive={false} cursor={CURSOR} />
      <MarkLines marks={marks} />
      {hidden.has('p95') ? null : <Line dataKey="p95" {...P95} {...STILL} />}
      {hidden.has('p50') ? null : <Line dataKey="p50" {...P50} {...STILL} />}
    </LineChart>
  );
});

function reader({ points, marks, bucketSeconds }: Props) {
  return ({ active, label }: TooltipContentProps) => {
    const point = points.find(({ time }) => time === label);
    if (!active || point === undefined) return null;
    const lines = [
      { label: '95th percentile', color: PALETTE.muted, text: text(point.p95) },
      { label: 'Median', color: PALETTE.accent, text: text(point.p50) },
    ];
    return (
      <ChartTooltip
        title={bucketTitle(point.time, bucketSeconds)}
        lines={lines}
        note={`${formatExact(point.count)} ${point.count === 1 ? 'request' : 'requests'}`}
        marks={marks.find(({ time }) => time === point.time)?.texts ?? []}
      />
    );
  };
}

function text(value: number | null): string {
  return value === null ? 'none finished' : formatSeconds(value);
}
