'use client';

import { memo } from 'react';
import { CartesianGrid, Line, LineChart, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import { axisText, CHART_MARGIN, TIME_AXIS_HEIGHT, VALUE_AXIS_WIDTH } from '#components/charts/axes.tsx';
import { ChartTooltip } from '#components/charts/chart-tooltip.tsx';
import { PALETTE } from '#components/charts/palette.ts';
import { useTextScale } from '#components/charts/text-scale.ts';
import { logTicks, type Point } from './series.ts';
import { useWords } from './words.ts';

export type SeriesKey = Exclude<keyof Point, 'x'>;
export type SeriesEntry = {
  readonly key: SeriesKey;
  readonly label: string;
  readonly color: string;
  readonly line: string;
  readonly marker: 'circle' | 'square' | 'diamond';
};

/** The vertical axis: logarithmic, or linear from 0 to `most` (by itself where null). */
export type Scale = { readonly kind: 'log' } | { readonly kind: 'linear'; readonly most: number | null };

type Props = {
  readonly points: readonly Point[];
  readonly series: readonly SeriesEntry[];
  readonly hidden: ReadonlySet<string>;
  readonly scale: Scale;
  readonly format: (value: number) => string;
  readonly tick: (value: number) => string;
  /** A place on the x axis, in words and short. */
  readonly place: (x: number) => string;
  readonly placeTick: (x: number) => string;
  /** Places that get a tick; all where not given. */
  readonly placeTicks?: readonly number[];
  readonly sentence: string;
};

const HEIGHT = 220;
const CURSOR = { stroke: PALETTE.muted, strokeDasharray: '2 2' };

/** Affinity off and on as two lines, with those they are compared with dashed. */
export const PolicyChart = memo(function PolicyChart(props: Props) {
  const { t } = useWords();
  const textScale = useTextScale();
  const { points, series, hidden, scale, tick, placeTick, sentence } = props;
  const shown = series.filter(({ key }) => !hidden.has(key));
  const few = props.placeTicks === undefined;
  return (
    <LineChart
      responsive
      margin={CHART_MARGIN}
      syncId={few ? 'benchmark' : 'benchmark-distribution'}
      data={[...points]}
      role="img"
      aria-label={sentence}
      style={{ width: '100%', height: HEIGHT * textScale }}
    >
      <CartesianGrid vertical={false} stroke={PALETTE.line} />
      <XAxis
        dataKey="x"
        type="category"
        tick={axisText(textScale)}
        tickFormatter={(x) => placeTick(Number(x))}
        height={TIME_AXIS_HEIGHT * textScale}
        tickLine={false}
        axisLine={{ stroke: PALETTE.line }}
        interval={0}
        {...(props.placeTicks === undefined ? {} : { ticks: [...props.placeTicks] })}
        padding={few ? { left: 20, right: 20 } : { left: 0, right: 0 }}
      />
      <YAxis
        {...vertical(scale, points, shown)}
        width={VALUE_AXIS_WIDTH * textScale}
        tick={axisText(textScale)}
        tickLine={false}
        axisLine={false}
        tickFormatter={(value) => tick(Number(value))}
      />
      <Tooltip content={reader(props, shown, t('notMeasured'))} isAnimationActive={false} cursor={CURSOR} />
      {shown.toReversed().map((entry) => (
        <Line key={entry.key} dataKey={entry.key} {...look(entry, few)} />
      ))}
    </LineChart>
  );
});

function vertical(scale: Scale, points: readonly Point[], shown: readonly SeriesEntry[]) {
  if (scale.kind === 'linear') {
    return scale.most === null ? { tickCount: 5 } : { domain: [0, scale.most], tickCount: 5 };
  }
  const ticks = logTicks(points.flatMap((point) => shown.flatMap(({ key }) => point[key] ?? [])));
  return {
    scale: 'log' as const,
    domain: [ticks[0] ?? 0.1, ticks.at(-1) ?? 1],
    ticks,
    interval: 0,
  };
}

/** Each setting has dots of its own shape, hollow where affinity was off: the lines differ without their colours. */
function look({ key, color, line, marker }: SeriesEntry, few: boolean) {
  const dashed = line !== '';
  const hollow = key === 'off' || key === 'otherOff';
  const radius = dashed ? 2.5 : 3.5;
  const dash = dashed ? line : few ? '' : WITHOUT_DOTS[marker];
  return {
    stroke: color,
    strokeWidth: dashed ? 1.5 : 2,
    ...(dash === '' ? {} : { strokeDasharray: dash }),
    ...(dashed ? { strokeOpacity: 0.75 } : {}),
    dot: few
      ? {
          symbol: marker,
          r: radius,
          stroke: color,
          strokeWidth: 1.5,
          strokeDasharray: '',
          fill: hollow ? 'var(--raised)' : color,
        }
      : false,
    activeDot: false,
    connectNulls: true,
    isAnimationActive: false,
  } as const;
}

/** Where there is no room for dots, dashes take their place. */
const WITHOUT_DOTS = { circle: '', square: '2 2', diamond: '7 3' } as const;

function reader({ points, place, format }: Props, shown: readonly SeriesEntry[], notMeasured: string) {
  return ({ active, label }: TooltipContentProps) => {
    const point = points.find(({ x }) => x === label);
    if (!active || point === undefined) return null;
    const lines = shown.flatMap(({ key, label: name, color }) => {
      const value = point[key];
      return value === null ? [] : [{ label: name, color, text: format(value) }];
    });
    return (
      <ChartTooltip title={place(point.x)} lines={lines} note={lines.length === 0 ? notMeasured : ''} marks={[]} />
    );
  };
}
