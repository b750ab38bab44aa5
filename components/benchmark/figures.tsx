'use client';

import { useMemo } from 'react';
import { useHiddenSeries } from '#components/charts/hidden-series.ts';
import { Legend } from '#components/charts/legend.tsx';
import { Card } from '#components/ui/card.tsx';
import type { BenchmarkReport } from '#lib/contract/benchmark.ts';
import { PolicyChart } from './charts.ts';
import { Distribution } from './distribution.tsx';
import { Figure } from './figure.tsx';
import type { Other } from './other.ts';
import { otherSeries, ownSeries } from './own-series.ts';
import type { Scale, SeriesEntry } from './policy-chart.tsx';
import { type Point, stepPoints } from './series.ts';
import { hasCacheFit, type StepRow } from './steps.ts';
import { sessionWords, useWords, type Words } from './words.ts';

type FigureSpec = {
  readonly title: string;
  readonly value: (row: StepRow) => number | null;
  readonly scale: (replicas: number) => Scale;
  readonly format: (value: number) => string;
  readonly tick: (value: number) => string;
};

const LOG = () => ({ kind: 'log' }) as const;

/** The reference's figures. */
function figureSpecs({ t, format }: Words): readonly FigureSpec[] {
  const seconds = { scale: LOG, format: format.seconds, tick: format.secondsTick };
  return [
    { title: t('figures.p50'), value: (row) => row.ttfb_p50_seconds, ...seconds },
    { title: t('figures.p95'), value: (row) => row.ttfb_p95_seconds, ...seconds },
    {
      title: t('figures.busy'),
      value: (row) => row.replicas_busy,
      scale: (replicas) => ({ kind: 'linear', most: replicas }),
      format: format.compact,
      tick: format.compact,
    },
    {
      title: t('figures.hits'),
      value: (row) => row.prefix_hit_percent,
      scale: () => ({ kind: 'linear', most: 100 }),
      format: (value) => format.percent(value),
      tick: (value) => format.percent(value, 0),
    },
  ];
}

type Props = { readonly report: BenchmarkReport; readonly id: number; readonly other: Other };

/** The reference's figures, with what the run is compared with dashed, and the whole distribution of waits. */
export function Figures({ report, id, other }: Props) {
  const words = useWords();
  const { hidden, toggle } = useHiddenSeries();
  const series = useMemo(
    () => [...ownSeries(report.rows, words), ...otherSeries(other, words)],
    [report, other, words],
  );
  const specs = useMemo(() => figureSpecs(words), [words]);
  return (
    <Card title={words.t('figures.title')} note={words.t('figures.note')} flush>
      <div className="px-4 pt-3">
        <Legend entries={series} hidden={hidden} onToggle={toggle} />
      </div>
      <div className="grid gap-x-8 gap-y-5 p-4 pt-2 lg:grid-cols-2">
        {specs.map((spec) => (
          <StepFigure
            key={spec.title}
            spec={spec}
            report={report}
            id={id}
            other={other}
            series={series}
            hidden={hidden}
          />
        ))}
      </div>
      <Distribution report={report} id={id} hidden={hidden} />
    </Card>
  );
}

type StepFigureProps = Props & {
  readonly spec: FigureSpec;
  readonly series: readonly SeriesEntry[];
  readonly hidden: ReadonlySet<string>;
};

function StepFigure({ spec, report, id, other, series, hidden }: StepFigureProps) {
  const words = useWords();
  const { t, format } = words;
  const points = useMemo(() => stepPoints(report.rows, other.rows, spec.value), [report, other, spec]);
  const scale = useMemo(() => spec.scale(Math.max(report.engine.replicas, other.replicas)), [spec, report, other]);
  const isReported = points.some(({ on, off, fit }) => on !== null || off !== null || fit !== null);
  return (
    <Figure
      title={spec.title}
      note={scale.kind === 'log' ? t('figures.logarithmic') : null}
      report={report}
      id={id}
      cardNote={t('figures.note')}
      legend={isReported ? series.filter(({ key }) => !hidden.has(key)) : null}
    >
      {isReported ? (
        <PolicyChart
          points={points}
          series={series}
          hidden={hidden}
          scale={scale}
          format={spec.format}
          tick={spec.tick}
          place={(sessions) => sessionWords(sessions, words)}
          placeTick={format.exact}
          sentence={sentenceOf(spec, points, { words, withFit: hasCacheFit(report.rows) })}
        />
      ) : (
        <p className="py-10 text-center text-muted">{t('notReportedByEngine')}</p>
      )}
    </Figure>
  );
}

type SentenceWords = { readonly words: Words; readonly withFit: boolean };

/** A figure in one sentence, for those who do not see it. */
function sentenceOf(
  { title, format }: FigureSpec,
  points: readonly Point[],
  { words, withFit }: SentenceWords,
): string {
  const { t } = words;
  const steps = points.flatMap(({ x, off, on, fit }) => {
    if (off === null && on === null && fit === null) return [];
    const write = (value: number | null) => (value === null ? t('notKnown') : format(value));
    const values = { sessions: sessionWords(x, words), off: write(off), on: write(on), fit: write(fit) };
    return [withFit ? t('figures.stepFit', values) : t('figures.step', values)];
  });
  return t('figures.sentence', { title, steps: steps.join('; ') });
}
