import { type ReactNode, useMemo } from 'react';
import type { TooltipContentProps } from 'recharts';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { ChartTooltip, type TooltipLine } from './chart-tooltip.tsx';
import { useMarkWords } from './mark-words.ts';
import type { Mark } from './marks.ts';
import type { ChartPoint, ChartSeries } from './series.ts';
import { bucketTitle, needsDay } from './time-axis.ts';

export type TooltipContent = (props: TooltipContentProps) => ReactNode;

type Shown = {
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly marks: readonly Mark[];
  readonly bucketSeconds: number;
  readonly hidden: ReadonlySet<string>;
};

/** What a chart's tooltip shows at a bucket: its series, those of the period before, and what changed in it. */
export function useTooltipContent({ points, series, marks, bucketSeconds, hidden }: Shown): TooltipContent {
  const t = useTranslations('charts');
  const format = useFormat();
  const words = useMarkWords();
  return useMemo(() => {
    const withDay = needsDay(
      points.map(({ time }) => time),
      bucketSeconds,
    );
    return ({ active, label }) => {
      const point = points.find(({ time }) => time === label);
      if (!active || point === undefined) return null;
      const text = (one: ChartSeries, value: number | null | undefined) =>
        value === null || value === undefined ? '—' : one.format(value);
      // Bars upside down, as they are stacked; what has no place in the drawing comes last.
      const lines = [
        ...series.filter(({ look }) => look === 'bar').toReversed(),
        ...series.filter(({ look }) => look === 'line'),
        ...series.filter(({ look }) => look === 'none'),
      ]
        .filter(({ key }) => !hidden.has(key))
        .map((one): TooltipLine => {
          const line = {
            label: one.label,
            color: one.look === 'none' ? null : one.color,
            text: text(one, point.values[one.key]),
          };
          return point.before === null ? line : { ...line, before: text(one, point.before[one.key]) };
        });
      const mark = marks.find(({ time }) => time === point.time);
      return (
        <ChartTooltip
          title={bucketTitle(point.time, bucketSeconds, format, withDay)}
          {...(point.before === null ? {} : { beforeTitle: t('before') })}
          lines={lines}
          note={point.filling ? t('filling') : ''}
          marks={mark === undefined ? [] : words(mark)}
        />
      );
    };
  }, [points, series, marks, bucketSeconds, hidden, t, format, words]);
}
