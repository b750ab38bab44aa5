'use client';

import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '#components/data/client.ts';
import { useFailure } from '#components/data/failure.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { loadCode } from '#components/data/load-code.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Empty } from '#components/ui/empty.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { EventList } from '#lib/contract/activity.ts';
import type { SeriesSpan } from '#lib/contract/series.ts';
import { ChartCard } from './chart-card.tsx';
import { drawFigure } from './draw-figure.ts';
import { useDrawnInTurn } from './drawn-in-turn.ts';
import { fileName } from './file-name.ts';
import { useHiddenSeries } from './hidden-series.ts';
import { Legend, type LegendEntry } from './legend.tsx';
import { marksIn } from './marks.ts';
import { PALETTE } from './palette.ts';
import { PngButton } from './png-button.tsx';
import { sentenceOf } from './sentence.ts';
import { BEFORE, type ChartPoint, type ChartSeries, matching, withBefore } from './series.ts';
import { type Figure, Figures } from './stat-line.tsx';
import { scaled } from './text-scale.ts';
import type { Plot } from './time-chart.tsx';
import { TimeChart } from './time-chart-lazy.ts';
import { ValueAt } from './value-at.tsx';

/** Not shown before it is asked for. */
const SeriesTable = lazy(async () => ({
  default: (await loadCode(() => import('./series-table.tsx'))).SeriesTable,
}));

/** What a panel draws of one answer. */
export type Drawn = {
  readonly series: readonly ChartSeries[];
  readonly points: readonly ChartPoint[];
  readonly plots: readonly Plot[];
  /** Numbers of the whole window. */
  readonly figures: readonly Figure[];
  /** Why there is no chart; null where there is one. */
  readonly empty: { readonly title: string; readonly children?: ReactNode } | null;
};

type Props<T extends SeriesSpan> = {
  readonly title: string;
  /** In file names. */
  readonly name: string;
  readonly note?: ReactNode;
  readonly query: UseQueryResult<T, ApiError>;
  /** The period before; null where it is not compared. */
  readonly before: UseQueryResult<T, ApiError> | null;
  readonly draw: (series: T) => Drawn;
  readonly events: EventList['events'];
  /** The time that an answer covers, in words: "the last hour". */
  readonly over: (span: SeriesSpan) => string;
  /** Whose numbers they are, for a picture without its page. */
  readonly whose: string;
  readonly height: number;
  readonly children?: (series: T) => ReactNode;
};

/** A chart over time with its numbers, its legend, the table behind it and its files. */
export function SeriesPanel<T extends SeriesSpan>(props: Props<T>) {
  const { title, name, note, query, before, draw, height, children } = props;
  const matched = matching(query, before);
  const drawnBefore = useMemo(() => (matched === null ? null : draw(matched)), [matched, draw]);
  return (
    <ChartCard
      title={title}
      note={note}
      query={query}
      height={height + 64}
      chart={(data) => (
        <Chart {...props} data={data} drawnBefore={drawnBefore}>
          {before === null ? null : <BeforeFailed query={before} />}
          {children?.(data)}
        </Chart>
      )}
      table={(data) => {
        const { series, points } = draw(data);
        const file = fileName(name, data.window);
        return (
          <Suspense fallback={<Skeleton className="m-4 h-40" />}>
            <SeriesTable
              title={title}
              file={file}
              series={series}
              points={withBefore(points, drawnBefore?.points ?? null)}
            />
          </Suspense>
        );
      }}
    />
  );
}

/** Without the line of the period before nobody could tell a failure from a period in which nothing was measured. */
function BeforeFailed<T>({ query }: { readonly query: UseQueryResult<T, ApiError> }) {
  const t = useTranslations('charts');
  const words = useFailureWords();
  const error = useFailure(query);
  if (error === null) return null;
  return (
    <p className="mt-2 text-bad text-xs">
      {t('before')}: {words(error).title}
    </p>
  );
}

type ChartProps<T extends SeriesSpan> = Omit<Props<T>, 'children'> & {
  readonly data: T;
  readonly drawnBefore: Drawn | null;
  readonly children: ReactNode;
};

function Chart<T extends SeriesSpan>(props: ChartProps<T>) {
  const { title, name, draw, events, whose, height, data, drawnBefore, children } = props;
  const over = props.over(data);
  const t = useTranslations('charts');
  const format = useFormat();
  const { hidden, toggle } = useHiddenSeries();
  const figure = useRef<HTMLDivElement>(null);
  const drawn = useMemo(() => draw(data), [draw, data]);
  const points = useMemo(() => withBefore(drawn.points, drawnBefore?.points ?? null), [drawn, drawnBefore]);
  const marks = useMemo(
    () =>
      marksIn(
        events,
        drawn.points.map(({ time }) => time),
        data.bucket_seconds,
      ),
    [events, drawn, data.bucket_seconds],
  );
  const sentences = useMemo(
    () =>
      drawn.plots.map(({ keys }) => {
        const series = drawn.series.filter(({ key }) => keys.includes(key));
        return sentenceOf({ title, over, series }, drawn.points, {
          of: (values) => t('sentence', values),
          between: (values) => t('between', values),
          nothing: (values) => t('sentenceNothing', values),
        });
      }),
    [drawn, title, over, t],
  );
  const shown = useMemo(
    () => ({
      points,
      series: drawn.series,
      plots: drawn.plots,
      marks,
      bucketSeconds: data.bucket_seconds,
      hidden,
      sentences,
    }),
    [points, drawn, marks, data.bucket_seconds, hidden, sentences],
  );
  // The drawing may come a moment after the click that changes it: legends and numbers answer at once.
  const drawing = useDrawnInTurn(shown);
  if (drawn.empty !== null) return <Empty title={drawn.empty.title}>{drawn.empty.children}</Empty>;
  const entries = legendOf(drawn.series, drawnBefore === null ? null : t('before'));
  return (
    <>
      <Figures figures={drawn.figures} before={drawnBefore?.figures ?? null} />
      <div className="flex items-start justify-between gap-x-4">
        <Legend
          entries={entries}
          hidden={hidden}
          onToggle={toggle}
          value={(entry) => <ValueAt series={drawn.series.find(({ key }) => key === entry.key)} points={points} />}
        />
        <PngButton
          title={title}
          file={`${fileName(name, data.window)}.png`}
          draw={() =>
            drawFigure(figure, {
              title,
              note: `${whose}, ${over}, ${t('since', { time: format.dateTime(Date.parse(data.from)) })}`,
              legend: entries.filter(({ key }) => !hidden.has(key)),
            })
          }
        />
      </div>
      <div ref={figure} className="mt-1" style={{ minHeight: scaled(height) }}>
        <TimeChart {...drawing} />
      </div>
      {children}
    </>
  );
}

function legendOf(series: readonly ChartSeries[], before: string | null): LegendEntry[] {
  const own = series
    .filter(({ look }) => look !== 'none')
    .map(({ key, label, color, look, line, marker }) => ({
      key,
      label,
      color,
      ...(look === 'line' ? { line: line ?? '' } : {}),
      ...(marker === undefined ? {} : { marker }),
    }));
  return before === null ? own : [...own, { key: BEFORE, label: before, color: PALETTE.muted, line: '3 3' }];
}
