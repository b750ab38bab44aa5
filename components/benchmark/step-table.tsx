import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import { formatSeconds } from '#lib/format/duration.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { formatExact } from '#lib/format/tokens.ts';
import { type Step, type StepRow, stepsOf } from './steps.ts';

type Figure = {
  readonly header: string;
  readonly unit?: string;
  readonly value: (row: StepRow) => number | null;
  readonly format: (value: number) => string;
};

const whole = (value: number) => formatExact(Math.round(value));

/** The columns of the reference measurement, and how many turns stand behind them. */
const FIGURES: readonly Figure[] = [
  { header: 'Sessions/h', value: (row) => row.sessions_per_hour, format: whole },
  { header: 'Output', unit: 'tokens/min', value: (row) => row.output_tokens_per_minute, format: whole },
  { header: 'First byte p50', value: (row) => row.ttfb_p50_seconds, format: formatSeconds },
  { header: 'First byte p95', value: (row) => row.ttfb_p95_seconds, format: formatSeconds },
  { header: 'Busy', unit: 'replicas', value: (row) => row.replicas_busy, format: (value) => value.toFixed(2) },
  { header: 'Prefix hits', value: (row) => row.prefix_hit_percent, format: formatPercent },
  { header: 'Stayed', unit: 'affinity on', value: (row) => row.stayed_percent, format: formatPercent },
  { header: 'Turns', unit: 'n', value: (row) => row.turns ?? null, format: formatExact },
];

type Props = {
  readonly caption: string;
  readonly rows: readonly StepRow[];
  /** What it is compared with, in a second line; none where empty. */
  readonly other: readonly StepRow[];
};

/** A row per number of sessions; every figure as affinity off → on. */
export function StepTable({ caption, rows, other }: Props) {
  const others = new Map(stepsOf(other).map((step) => [step.sessions, step]));
  const columns: [Column<Step>, ...Column<Step>[]] = [
    { header: 'Sessions', cell: ({ sessions }) => <span className="font-semibold tabular-nums">{sessions}</span> },
    ...FIGURES.map(
      (figure): Column<Step> => ({
        header: figure.header,
        ...(figure.unit === undefined ? {} : { unit: figure.unit }),
        align: 'end',
        cell: (step) => <Pair figure={figure} step={step} other={others.get(step.sessions)} />,
      }),
    ),
  ];
  return <Table caption={caption} columns={columns} rows={stepsOf(rows)} rowKey={({ sessions }) => String(sessions)} />;
}

type PairProps = { readonly figure: Figure; readonly step: Step; readonly other: Step | undefined };

function Pair({ figure, step, other }: PairProps) {
  const without = figure.header === 'Turns' && other?.on?.turns === undefined && other?.off?.turns === undefined;
  return (
    <>
      <Line figure={figure} step={step} />
      {other === undefined || without ? null : (
        <span className="block text-faint text-xs">
          <Line figure={figure} step={other} />
        </span>
      )}
    </>
  );
}

function Line({ figure, step: { off, on } }: { readonly figure: Figure; readonly step: Step }) {
  // Without affinity no request has a home to stay on.
  if (figure.header === 'Stayed') return <Value figure={figure} row={on} />;
  return (
    <span className="whitespace-nowrap">
      <Value figure={figure} row={off} /> →{' '}
      <span className="font-medium">
        <Value figure={figure} row={on} />
      </span>
    </span>
  );
}

function Value({ figure, row }: { readonly figure: Figure; readonly row: StepRow | undefined }) {
  return <Reported value={row === undefined ? null : figure.value(row)} format={figure.format} why="Not measured" />;
}
