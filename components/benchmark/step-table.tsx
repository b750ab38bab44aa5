import clsx from 'clsx';
import { Fragment, useMemo } from 'react';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import { hasCacheFit, type Step, type StepRow, stepsOf } from './steps.ts';
import { useWords, type Words } from './words.ts';

type Figure = {
  readonly key: 'perHour' | 'output' | 'p50' | 'p95' | 'busy' | 'hits' | 'stayed' | 'turns';
  readonly header: string;
  readonly unit?: string;
  readonly value: (row: StepRow) => number | null;
  readonly format: (value: number) => string;
};

/** The columns of the reference measurement, and how many turns stand behind them. */
function stepFigures({ t, format }: Words): readonly Figure[] {
  const whole = (value: number) => format.exact(Math.round(value));
  const percent = (value: number) => format.percent(value);
  return [
    { key: 'perHour', header: t('columns.perHour'), value: (row) => row.sessions_per_hour, format: whole },
    {
      key: 'output',
      header: t('columns.output'),
      unit: t('units.tokensPerMinute'),
      value: (row) => row.output_tokens_per_minute,
      format: whole,
    },
    { key: 'p50', header: t('columns.p50'), value: (row) => row.ttfb_p50_seconds, format: format.seconds },
    { key: 'p95', header: t('columns.p95'), value: (row) => row.ttfb_p95_seconds, format: format.seconds },
    {
      key: 'busy',
      header: t('columns.busy'),
      unit: t('units.replicas'),
      value: (row) => row.replicas_busy,
      format: format.compact,
    },
    { key: 'hits', header: t('columns.hits'), value: (row) => row.prefix_hit_percent, format: percent },
    {
      key: 'stayed',
      header: t('columns.stayed'),
      unit: t('units.affinityOn'),
      value: (row) => row.stayed_percent,
      format: percent,
    },
    {
      key: 'turns',
      header: t('columns.turns'),
      unit: t('units.n'),
      value: (row) => row.turns ?? null,
      format: format.exact,
    },
  ];
}

type Props = {
  readonly caption: string;
  readonly rows: readonly StepRow[];
  /** What it is compared with, in a second line; none where empty. */
  readonly other: readonly StepRow[];
};

/** A row per number of sessions; every figure as affinity off → on → cache-fit, as far as they were measured. */
export function StepTable({ caption, rows, other }: Props) {
  const words = useWords();
  const figures = useMemo(() => stepFigures(words), [words]);
  const others = new Map(stepsOf(other).map((step) => [step.sessions, step]));
  const withFit = hasCacheFit(rows);
  const columns: [Column<Step>, ...Column<Step>[]] = [
    {
      header: words.t('columns.sessions'),
      cell: ({ sessions }) => <span className="font-semibold tabular-nums">{words.format.exact(sessions)}</span>,
    },
    ...figures.map(
      (figure): Column<Step> => ({
        header: figure.header,
        ...(figure.unit === undefined ? {} : { unit: figure.unit }),
        align: 'end',
        cell: (step) => <Cell figure={figure} step={step} other={others.get(step.sessions)} withFit={withFit} />,
      }),
    ),
  ];
  return <Table caption={caption} columns={columns} rows={stepsOf(rows)} rowKey={({ sessions }) => String(sessions)} />;
}

type CellProps = {
  readonly figure: Figure;
  readonly step: Step;
  readonly other: Step | undefined;
  readonly withFit: boolean;
};

function Cell({ figure, step, other, withFit }: CellProps) {
  // The reference does not say how many turns stand behind its figures.
  const silent = figure.key === 'turns' && other?.on?.turns === undefined && other?.off?.turns === undefined;
  return (
    <>
      <Line figure={figure} step={step} withFit={withFit} />
      {other === undefined || silent ? null : (
        <span className="block text-faint text-xs">
          <Line figure={figure} step={other} withFit={other.fit !== undefined} />
        </span>
      )}
    </>
  );
}

type LineProps = { readonly figure: Figure; readonly step: Step; readonly withFit: boolean };

function Line({ figure, step: { off, on, fit }, withFit }: LineProps) {
  // Without affinity no request has a home to stay on.
  const rows = [...(figure.key === 'stayed' ? [] : [off]), on, ...(withFit ? [fit] : [])];
  return (
    <span>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the settings have fixed places
        <Fragment key={index}>
          {index === 0 ? null : ' '}
          <span className={clsx('whitespace-nowrap', index === rows.length - 1 && 'font-medium')}>
            {index === 0 ? null : '→ '}
            <Value figure={figure} row={row} />
          </span>
        </Fragment>
      ))}
    </span>
  );
}

function Value({ figure, row }: { readonly figure: Figure; readonly row: StepRow | undefined }) {
  const { t } = useWords();
  return (
    <Reported value={row === undefined ? null : figure.value(row)} format={figure.format} why={t('notMeasured')} />
  );
}
