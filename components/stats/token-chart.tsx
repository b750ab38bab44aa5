'use client';

import { memo } from 'react';
import { Bar, BarChart, Tooltip, type TooltipContentProps } from 'recharts';
import { CHART, MarkLines, TimeAxis, ValueAxis } from '#components/charts/axes.tsx';
import { ChartTooltip } from '#components/charts/chart-tooltip.tsx';
import type { Mark } from '#components/charts/marks.ts';
import { PALETTE } from '#components/charts/palette.ts';
import { bucketTitle } from '#components/charts/time-axis.ts';
import type { WindowName } from '#lib/contract/series.ts';
import { formatCompact } from '#lib/format/tokens.ts';
import { BarShape, UpperBarShape } from './bar-shape.tsx';
import type { TokenBar } from './token-bars.ts';

type Props = {
  readonly bars: readonly TokenBar[];
  readonly marks: readonly Mark[];
  readonly range: WindowName;
  readonly bucketSeconds: number;
  readonly hidden: ReadonlySet<string>;
  /** What the two charts show, in a sentence each. */
  readonly sentences: { readonly prompt: string; readonly completion: string };
};

const STILL = { isAnimationActive: false, activeBar: false } as const;
const CURSOR = { fill: PALETTE.line, fillOpacity: 0.5, stroke: 'none' };

/** Prompt bars, cached and computed stacked; completion bars below on their own scale, over the same time axis. */
export const TokenChart = memo(function TokenChart(props: Props) {
  const { bars, marks, range, hidden, sentences } = props;
  const times = bars.map((bar) => bar.time);
  const shared = { ...CHART, data: [...bars], barCategoryGap: '12%' };
  return (
    <div>
      <BarChart {...shared} role="img" aria-label={sentences.prompt} style={{ width: '100%', height: 230 }}>
        <TimeAxis times={times} range={range} bare />
        <ValueAxis ticks={5} format={formatCompact} />
        <Tooltip content={reader(props)} isAnimationActive={false} cursor={CURSOR} />
        <MarkLines marks={marks} />
        {hidden.has('cached') ? null : (
          <Bar dataKey="cached" stackId="prompt" fill={PALETTE.cached} shape={BarShape} {...STILL} />
        )}
        {hidden.has('computed') ? null : (
          <Bar dataKey="computed" stackId="prompt" fill={PALETTE.computed} shape={UpperBarShape} {...STILL} />
        )}
      </BarChart>
      <BarChart {...shared} role="img" aria-label={sentences.completion} style={{ width: '100%', height: 120 }}>
        <TimeAxis times={times} range={range} />
        <ValueAxis ticks={3} format={formatCompact} />
        <Tooltip content={nothing} isAnimationActive={false} cursor={CURSOR} />
        <MarkLines marks={marks} />
        {hidden.has('completion') ? null : (
          <Bar dataKey="completion" fill={PALETTE.completion} shape={BarShape} {...STILL} />
        )}
      </BarChart>
    </div>
  );
});

/** The charts share one cursor: the upper one's tooltip shows all three numbers of the instant. */
function nothing() {
  return null;
}

function reader({ bars, marks, bucketSeconds }: Props) {
  return ({ active, label }: TooltipContentProps) => {
    const bar = bars.find(({ time }) => time === label);
    if (!active || bar === undefined) return null;
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
        marks={marks.find(({ time }) => time === bar.time)?.texts ?? []}
      />
    );
  };
}
