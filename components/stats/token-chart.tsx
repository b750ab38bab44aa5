'use client';

import { memo } from 'react';
import { Bar, BarChart, CartesianGrid, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import { ChartTooltip } from '#components/charts/chart-tooltip.tsx';
import { PALETTE } from '#components/charts/palette.ts';
import { bucketTitle, timeAxis } from '#components/charts/time-axis.ts';
import { formatCompact } from '#lib/format/tokens.ts';
import type { RangeName } from '#lib/series/range.ts';
import { BarShape, UpperBarShape } from './bar-shape.tsx';
import type { TokenBar } from './token-bars.ts';

type Props = {
  readonly bars: readonly TokenBar[];
  readonly range: RangeName;
  readonly bucketSeconds: number;
  readonly hidden: ReadonlySet<string>;
  /** What the two charts show, in a sentence each. */
  readonly sentences: { readonly prompt: string; readonly completion: string };
};

const AXIS = { fontSize: 11, fill: PALETTE.muted };
const MARGIN = { top: 8, right: 4, bottom: 0, left: 0 };

/** Prompt bars, cached and computed stacked; completion bars below on their own scale, over the same time axis. */
export const TokenChart = memo(function TokenChart({ bars, range, bucketSeconds, hidden, sentences }: Props) {
  const axis = timeAxis(
    bars.map((bar) => bar.time),
    range,
  );
  const tooltip = ({ active, label }: TooltipContentProps) => {
    const bar = bars.find(({ time }) => time === label);
    return active && bar ? <Reading bar={bar} bucketSeconds={bucketSeconds} /> : null;
  };
  const shared = { data: [...bars], syncId: 'stats', margin: MARGIN, barCategoryGap: '12%', responsive: true };
  const time = {
    dataKey: 'time',
    ticks: axis.ticks,
    tickFormatter: axis.label,
    tick: AXIS,
    tickLine: false,
    minTickGap: 20,
  };
  const value = { width: 44, tick: AXIS, tickLine: false, axisLine: false, tickFormatter: formatCompact };
  return (
    <div>
      <BarChart {...shared} role="img" aria-label={sentences.prompt} style={{ width: '100%', height: 230 }}>
        <CartesianGrid vertical={false} stroke={PALETTE.line} />
        <XAxis {...time} axisLine={{ stroke: PALETTE.line }} tick={false} height={4} />
        <YAxis {...value} tickCount={5} />
        <Tooltip content={tooltip} isAnimationActive={false} cursor={CURSOR} />
        {hidden.has('cached') ? null : (
          <Bar
            dataKey="cached"
            stackId="prompt"
            fill={PALETTE.cached}
            isAnimationActive={false}
            activeBar={false}
            shape={BarShape}
          />
        )}
        {hidden.has('computed') ? null : (
          <Bar
            dataKey="computed"
            stackId="prompt"
            fill={PALETTE.computed}
            isAnimationActive={false}
            activeBar={false}
            shape={UpperBarShape}
          />
        )}
      </BarChart>
      <BarChart {...shared} role="img" aria-label={sentences.completion} style={{ width: '100%', height: 120 }}>
        <CartesianGrid vertical={false} stroke={PALETTE.line} />
        <XAxis {...time} axisLine={{ stroke: PALETTE.line }} />
        <YAxis {...value} tickCount={3} />
        <Tooltip content={Nothing} isAnimationActive={false} cursor={CURSOR} />
        {hidden.has('completion') ? null : (
          <Bar
            dataKey="completion"
            fill={PALETTE.completion}
            isAnimationActive={false}
            activeBar={false}
            shape={BarShape}
          />
        )}
      </BarChart>
    </div>
  );
});

const CURSOR = { fill: PALETTE.line, fillOpacity: 0.5 };

/** The charts are synchronised: the upper one's tooltip shows all three numbers of the instant. */
function Nothing() {
  return null;
}

type ReadingProps = { readonly bar: TokenBar; readonly bucketSeconds: number };

function Reading({ bar, bucketSeconds }: ReadingProps) {
  const lines = [
    { label: 'Computed', color: PALETTE.computed, text: `${formatCompact(bar.computed)}/s` },
    { label: 'Cached', color: PALETTE.cached, text: `${formatCompact(bar.cached)}/s` },
    { label: 'Completion', color: PALETTE.completion, text: `${formatCompact(bar.completion)}/s` },
  ];
  const measured = `${bar.measured} of ${bar.requests} requests measured`;
  return (
    <ChartTooltip
      title={bucketTitle(bar.time, bucketSeconds)}
      lines={lines}
      note={bar.isFilling ? `Still filling · ${measured}` : measured}
    />
  );
}
