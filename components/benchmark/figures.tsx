'use client';

import { useMemo } from 'react';
import { useHiddenSeries } from '#components/charts/hidden-series.ts';
import { Legend } from '#components/charts/legend.tsx';
import { PALETTE } from '#components/charts/palette.ts';
import { Card } from '#components/ui/card.tsx';
import type { BenchmarkReport } from '#lib/contract/benchmark.ts';
import { formatSeconds, formatSecondsTick } from '#lib/format/duration.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { PolicyChart } from './charts.ts';
import { Distribution } from './distribution.tsx';
import { Figure } from './figure.tsx';
import type { Other } from './other.ts';
import { OWN_SERIES } from './own-series.ts';
import type { Scale, SeriesEntry } from './policy-chart.tsx';
import { type Point, stepPoints } from './series.ts';
import type { StepRow } from './steps.ts';
import { sessionWords } from './words.ts';

type FigureSpec = {
  readonly title: string;
  readonly value: (row: StepRow) => number | null;
  readonly scale: (replicas: number) => Scale;
  readonly format: (value: number) => string;
  readonly tick: (value: number) => string;
};

const NOTE = 'against sessions at once';
const LOG = () => ({ kind: 'log' }) as const;
const SPECS: readonly FigureSpec[] = [
  {
    title: 'Time to first byte, median',
    value: (row) => row.ttfb_p50_seconds,
    scale: LOG,
    format: formatSeconds,
    tick: formatSecondsTick,
  },
  {
    title: 'Time to first byte, 95th percentile',
    value: (row) => row.ttfb_p95_seconds,
    scale: LOG,
    format: formatSeconds,
    tick: formatSecondsTick,
  },
  {
    title: 'Replicas busy',
    value: (row) => row.replicas_busy,
    scale: (replicas) => ({ kind: 'linear', most: replicas }),
    format: (value) => value.toFixed(2),
    tick: String,
  },
  {
    title: 'Prefix-cache hit rate',
    value: (row) => row.prefix_hit_percent,
    scale: () => ({ kind: 'linear', most: 100 }),
    format: formatPercent,
    tick: (value) => `${value}%`,
  },
];

type Props = { readonly report: BenchmarkReport; readonly id: number; readonly other: Other };

/** The reference's figures, with what the run is compared with dashed, and the whole distribution of waits. */
export function Figures({ report, id, other }: Props) {
  const { hidden, toggle } = useHiddenSeries();
  const series: readonly SeriesEntry[] = [
    ...OWN_SERIES,
    ...(other.rows.length === 0
      ? []
      : ([
          { key: 'otherOn', label: `${other.name}, on`, color: PALETTE.accent, line: '4 3' },
          { key: 'otherOff', label: `${other.name}, off`, color: PALETTE.muted, line: '4 3' },
        ] as const)),
  ];
  return (
    <Card title="Figures" note={NOTE} flush>
      <div className="px-4 pt-3">
        <Legend entries={series} hidden={hidden} onToggle={toggle} />
      </div>
      <div className="grid gap-x-8 gap-y-5 p-4 pt-2 lg:grid-cols-2">
        {SPECS.map((spec) => (
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
  const points = useMemo(() => stepPoints(report.rows, other.rows, spec.value), [report, other, spec]);
  const scale = useMemo(() => spec.scale(Math.max(report.engine.replicas, other.replicas)), [spec, report, other]);
  const isReported = points.some(({ on, off }) => on !== null || off !== null);
  return (
    <Figure
      title={spec.title}
      note={scale.kind === 'log' ? 'logarithmic axis' : null}
      report={report}
      id={id}
      cardNote={NOTE}
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
          place={sessionWords}
          placeTick={String}
          sentence={sentenceOf(spec, points)}
        />
      ) : (
        <p className="py-10 text-center text-muted">Not reported by the engine</p>
      )}
    </Figure>
  );
}

/** A figure in one sentence, for those who do not see it. */
function sentenceOf({ title, format }: FigureSpec, points: readonly Point[]): string {
  const steps = points.flatMap(({ x, off, on }) => {
    if (off === null && on === null) return [];
    const words = (value: number | null) => (value === null ? 'not known' : format(value));
    return [`${sessionWords(x)}: ${words(off)} off, ${words(on)} on`];
  });
  return `${title}. ${steps.join('; ')}.`;
}
