'use client';

import { memo, useEffect, useId } from 'react';
import { Bar, ComposedChart, Line, Tooltip, useActiveTooltipLabel, useIsTooltipActive } from 'recharts';
import { useFormat } from '#components/language/use-format.ts';
import { CHART_MARGIN, MarkLines, TimeAxis, ValueAxis, type ValueScale } from './axes.tsx';
import { BarShape, UpperBarShape } from './bar-shape.tsx';
import { moveCursor } from './cursor.ts';
import { markedLine } from './marked-line.tsx';
import type { Mark } from './marks.ts';
import { PALETTE } from './palette.ts';
import { BEFORE, type ChartPoint, type ChartSeries, sumOf } from './series.ts';
import { useTextScale } from './text-scale.ts';
import { type TooltipContent, useTooltipContent } from './tooltip-content.tsx';
import { topOf } from './value-ticks.ts';

/** A drawing of some of a chart's series on a scale of their own. */
export type Plot = { readonly keys: readonly string[]; readonly height: number; readonly scale: ValueScale };

type Props = {
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  /** One above the other, over the same time. */
  readonly plots: readonly Plot[];
  readonly marks: readonly Mark[];
  readonly bucketSeconds: number;
  readonly hidden: ReadonlySet<string>;
  /** What each plot shows, in a sentence. */
  readonly sentences: readonly string[];
};

const STILL = { isAnimationActive: false } as const;
const CURSOR = { stroke: PALETTE.muted, strokeDasharray: '2 2' };
const OVERLAY = {
  strokeWidth: 1.25,
  strokeDasharray: '3 3',
  strokeOpacity: 0.85,
  dot: false,
  activeDot: false,
} as const;

/** Bars and lines over time. All charts of a page share one cursor; a bucket without a value is a gap. */
export const TimeChart = memo(function TimeChart(props: Props) {
  const content = useTooltipContent(props);
  return (
    <div className="chart">
      {props.plots.map((plot, index) => (
        <PlotChart
          key={plot.keys.join(' ')}
          {...props}
          plot={plot}
          sentence={props.sentences[index] ?? ''}
          isLast={index === props.plots.length - 1}
          // The upper plot's tooltip shows the numbers of all.
          content={index === 0 ? content : NOTHING}
        />
      ))}
    </div>
  );
});

const NOTHING: TooltipContent = () => null;

type PlotProps = Omit<Props, 'plots' | 'sentences'> & {
  readonly plot: Plot;
  readonly sentence: string;
  readonly isLast: boolean;
  readonly content: TooltipContent;
};

function PlotChart({ points, series, marks, bucketSeconds, hidden, plot, sentence, isLast, content }: PlotProps) {
  const format = useFormat();
  const textScale = useTextScale();
  const shown = series.filter(({ key }) => plot.keys.includes(key) && !hidden.has(key));
  const bars = shown.filter(({ look }) => look === 'bar');
  const before = hidden.has(BEFORE) ? [] : series.filter((one) => isOverlaid(one, plot, shown));
  const barKeys = bars.map(({ key }) => key);
  const top = topOf(points, {
    bars: barKeys,
    lines: shown.filter(({ look }) => look === 'line').map(({ key }) => key),
    barsBefore: hidden.has(BEFORE) ? [] : barKeys,
    linesBefore: before.map(({ key }) => key),
  });
  return (
    <ComposedChart
      syncId="stats"
      syncMethod="value"
      responsive
      margin={CHART_MARGIN}
      data={[...points]}
      barCategoryGap="12%"
      role="img"
      aria-label={sentence}
      style={{ width: '100%', height: plot.height * textScale }}
    >
      <TimeAxis
        times={points.map(({ time }) => time)}
        bucketSeconds={bucketSeconds}
        format={format}
        bare={!isLast}
        textScale={textScale}
      />
      <ValueAxis scale={plot.scale} top={top} textScale={textScale} />
      <Tooltip content={content} filterNull={false} isAnimationActive={false} cursor={CURSOR} />
      <MarkLines marks={marks} />
      {bars.map(({ key, color }, index) => (
        <Bar
          key={key}
          dataKey={(point: ChartPoint) => point.values[key] ?? null}
          stackId="bars"
          fill={color}
          shape={index === 0 ? BarShape : UpperBarShape}
          activeBar={false}
          {...STILL}
        />
      ))}
      {shown.map((one, index) => (one.look === 'line' ? lineOf(one, index, textScale) : null))}
      {hidden.has(BEFORE) ? null : overlays(points, barKeys, before)}
      <CursorReporter />
    </ComposedChart>
  );
}

function lineOf({ key, color, line, marker }: ChartSeries, index: number, textScale: number) {
  return (
    <Line
      key={key}
      dataKey={(point: ChartPoint) => point.values[key] ?? null}
      stroke={color}
      strokeWidth={1.75 * textScale}
      {...(line ? { strokeDasharray: line } : {})}
      shape={markedLine(index, marker)}
      dot={false}
      activeDot={false}
      connectNulls={false}
      {...STILL}
    />
  );
}

/** Whether a line has one for the period before: shown itself, or without a look of its own. */
function isOverlaid({ key, overlay, look }: ChartSeries, plot: Plot, shown: readonly ChartSeries[]): boolean {
  if (!overlay || look === 'bar' || !plot.keys.includes(key)) return false;
  return look === 'none' || shown.some((one) => one.key === key);
}

/** The period before, dashed: the sum of the bars that are shown, and each line that has one. */
function overlays(points: readonly ChartPoint[], bars: readonly string[], lines: readonly ChartSeries[]) {
  if (points.every(({ before }) => before === null)) return null;
  return (
    <>
      {bars.length === 0 ? null : (
        <Line
          dataKey={(point: ChartPoint) => sumOf(point.before, bars)}
          stroke={PALETTE.muted}
          {...OVERLAY}
          {...STILL}
        />
      )}
      {lines.map(({ key, color }) => (
        <Line
          key={key}
          dataKey={(point: ChartPoint) => point.before?.[key] ?? null}
          stroke={color}
          {...OVERLAY}
          {...STILL}
        />
      ))}
    </>
  );
}

/** Tells what stands beside the charts where the cursor is. */
function CursorReporter() {
  const owner = useId();
  const label = useActiveTooltipLabel();
  const isActive = useIsTooltipActive();
  const time = isActive && label !== undefined ? Number(label) : null;
  useEffect(() => moveCursor(owner, time), [owner, time]);
  useEffect(() => () => moveCursor(owner, null), [owner]);
  return null;
}
