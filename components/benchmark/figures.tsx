'use client';

import { type ReactNode, useMemo, useState } from 'react';
import { useHiddenSeries } from '#components/charts/hidden-series.ts';
import { Legend } from '#components/charts/legend.tsx';
import { PALETTE } from '#components/charts/palette.ts';
import { Card } from '#components/ui/card.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import type { BenchmarkCell, BenchmarkReport } from '#lib/contract/benchmark.ts';
import { formatSeconds, formatSecondsTick } from '#lib/format/duration.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { PolicyChart } from './charts.ts';
import type { Other } from './other.ts';
import type { Scale, SeriesEntry } from './policy-chart.tsx';
import { distributionPoints, type Point, stepPoints } from './series.ts';
import type { StepRow } from './steps.ts';

const OWN: readonly SeriesEntry[] = [
  { key: 'on', label: 'Affinity on', color: PALETTE.accent, dashed: false },
  { key: 'off', label: 'Affinity off', color: PALETTE.muted, dashed: false },
];

type FigureSpec = {
  readonly title: string;
  readonly value: (row: StepRow) => number | null;
  readonly scale: (replicas: number) => Scale;
  readonly format: (value: number) => string;
  readonly tick: (value: number) => string;
};

const PERCENT_TICKS = [10, 25, 50, 75, 90, 95];

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

type Props = { readonly report: BenchmarkReport; readonly other: Other };

/** The reference's figures, with what the run is compared with dashed, and the whole distribution of waits. */
export function Figures({ report, other }: Props) {
  const { hidden, toggle } = useHiddenSeries();
  const series: readonly SeriesEntry[] = [
    ...OWN,
    ...(other.rows.length === 0
      ? []
      : ([
          { key: 'otherOn', label: `${other.name}, on`, color: PALETTE.accent, dashed: true },
          { key: 'otherOff', label: `${other.name}, off`, color: PALETTE.muted, dashed: true },
        ] as const)),
  ];
  return (
    <Card title="Figures" note="against sessions at once" flush>
      <div className="px-4 pt-3">
        <Legend entries={series} hidden={hidden} onToggle={toggle} />
      </div>
      <div className="grid gap-x-8 gap-y-5 p-4 pt-2 lg:grid-cols-2">
        {SPECS.map((spec) => (
          <StepFigure key={spec.title} spec={spec} report={report} other={other} series={series} hidden={hidden} />
        ))}
      </div>
      <Distribution cells={report.cells} hidden={hidden} />
    </Card>
  );
}

type StepFigureProps = Props & {
  readonly spec: FigureSpec;
  readonly series: readonly SeriesEntry[];
  readonly hidden: ReadonlySet<string>;
};

function StepFigure({ spec, report, other, series, hidden }: StepFigureProps) {
  const points = useMemo(() => stepPoints(report.rows, other.rows, spec.value), [report, other, spec]);
  const scale = useMemo(() => spec.scale(Math.max(report.engine.replicas, other.replicas)), [spec, report, other]);
  return (
    <Titled title={spec.title} note={scale.kind === 'log' ? 'logarithmic axis' : null}>
      {points.every(({ on, off }) => on === null && off === null) ? (
        <p className="py-10 text-center text-muted">Not reported by the engine</p>
      ) : (
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
      )}
    </Titled>
  );
}

function Distribution({
  cells,
  hidden,
}: {
  readonly cells: readonly BenchmarkCell[];
  readonly hidden: ReadonlySet<string>;
}) {
  const steps = [...new Set(cells.map(({ sessions }) => sessions))].sort((a, b) => a - b);
  const [chosen, setChosen] = useState<string | null>(null);
  const step = steps.find((sessions) => String(sessions) === chosen) ?? steps[0];
  const points = useMemo(() => {
    const waits = (policy: string) =>
      cells
        .filter((cell) => cell.policy === policy && cell.sessions === step)
        .flatMap((cell) => cell.ttfb_seconds)
        .sort((a, b) => a - b);
    return distributionPoints(waits('off'), waits('affinity'));
  }, [cells, step]);
  if (step === undefined) return null;
  return (
    <div className="border-line border-t p-4">
      <Titled
        title={`All times to first byte, ${sessionWords(step)}`}
        note="the share of turns that waited no longer; logarithmic axis"
        action={
          steps.length < 2 ? null : (
            <Segmented
              label="Sessions at once"
              value={String(step)}
              options={steps.map((sessions) => ({
                value: String(sessions),
                label: String(sessions),
                name: sessionWords(sessions),
              }))}
              onChange={setChosen}
            />
          )
        }
      >
        <PolicyChart
          points={points}
          series={OWN}
          hidden={hidden}
          scale={{ kind: 'log' }}
          format={formatSeconds}
          tick={formatSecondsTick}
          place={(percent) => `${percent}% of the turns`}
          placeTick={(percent) => `${percent}%`}
          placeTicks={PERCENT_TICKS}
          sentence={`Distribution of the times to first byte at ${sessionWords(step)}, affinity off and on.`}
        />
      </Titled>
    </div>
  );
}

type TitledProps = {
  readonly title: string;
  readonly note: string | null;
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

function Titled({ title, note, action, children }: TitledProps) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span>
          <span className="font-medium">{title}</span>
          {note === null ? null : <span className="ml-2 text-muted text-xs">{note}</span>}
        </span>
        {action}
      </figcaption>
      <div className="min-h-[220px]">{children}</div>
    </figure>
  );
}

function sessionWords(sessions: number): string {
  return `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`;
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
