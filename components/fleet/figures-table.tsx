import { useTranslations } from 'use-intl';
import { type Format, useFormat } from '#components/language/use-format.ts';
import { Pill } from '#components/ui/pill.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { Figures, FiguresProblem, FleetFigures, ReadFigures, WardenFigures } from '#lib/contract/fleet.ts';
import { WardenName } from './warden-name.tsx';

type Row = {
  readonly id: string;
  /** Null: the sum. */
  readonly warden: WardenFigures | null;
  /** Null where it is not known. */
  readonly took: Figures | null;
  readonly alerts: number | null;
};

type Props = {
  readonly figures: FleetFigures;
  /** Null: all models together. */
  readonly model: string | null;
};

/** A row a warden; the last one, where there are several, is the sum of those that could be read. */
export function FiguresTable({ figures: { wardens, together }, model }: Props) {
  const t = useTranslations('fleet');
  const rows = wardens.map((warden) => ({ id: warden.id, warden, ...ofModel(warden.figures, model) }));
  const sum = { id: 'total', warden: null, ...ofModel(together, model) };
  return (
    <Table
      caption={t('took')}
      columns={useColumns({ read: together?.wardens ?? 0, all: wardens.length })}
      rows={wardens.length > 1 ? [...rows, sum] : rows}
      rowKey={({ id }) => id}
    />
  );
}

function ofModel(figures: ReadFigures | null, model: string | null): Pick<Row, 'took' | 'alerts'> {
  if (figures === null) return { took: null, alerts: null };
  const took = model === null ? figures.all : figures.models.find((one) => one.model === model);
  return { took: took ?? null, alerts: figures.alerts_firing };
}

function useColumns({ read, all }: { readonly read: number; readonly all: number }) {
  const t = useTranslations('fleet');
  const format = useFormat();
  const { exact, percent } = format;
  const cell = (value: (took: Figures) => number | null, write: (value: number) => string) => (row: Row) => (
    <Reported value={row.took === null ? null : value(row.took)} format={write} why={t(missing(row))} />
  );
  const columns: readonly [Column<Row>, ...Column<Row>[]] = [
    {
      id: 'warden',
      header: t('warden'),
      cell: ({ warden }) =>
        warden === null ? (
          t(read === all ? 'total' : 'totalOf', { read: exact(read), all: exact(all) })
        ) : (
          <Named warden={warden} />
        ),
    },
    { id: 'requests', header: t('requests'), align: 'end', cell: cell((took) => took.requests, exact) },
    { id: 'sticky', header: t('sticky'), align: 'end', cell: cell(({ decisions }) => decisions.sticky, exact) },
    { id: 'placed', header: t('placed'), align: 'end', cell: cell(({ decisions }) => decisions.placed, exact) },
    { id: 'spilled', header: t('spilled'), align: 'end', cell: cell(({ decisions }) => decisions.spilled, exact) },
    {
      id: 'other',
      header: t('otherDecisions'),
      align: 'end',
      cell: cell(otherDecisions, exact),
    },
    { id: 'failed', header: t('failed'), align: 'end', cell: cell((took) => took.failed, exact) },
    {
      id: 'hits',
      header: t('hitShare'),
      align: 'end',
      cell: cell((took) => took.cache_hit_percent, percent),
    },
    {
      id: 'prompt',
      header: t('promptTokens'),
      unit: t('promptTokensUnit'),
      align: 'end',
      cell: (row) => <Reported value={row.took} format={promptTokens(format)} why={t(missing(row))} />,
    },
    {
      id: 'completion',
      header: t('completionTokens'),
      align: 'end',
      cell: cell((took) => took.completion_tokens, format.compact),
    },
    {
      id: 'first-byte',
      header: t('firstByte'),
      unit: 'p50 · p95',
      align: 'end',
      cell: (row) => <Reported value={firstByte(row, format)} format={(text) => text} why={t(missing(row))} />,
    },
    { id: 'alerts', header: t('alerts'), align: 'end', cell: (row) => <Alerts row={row} /> },
  ];
  return columns;
}

/** Why a cell has no number. */
function missing({ warden, took }: Row): 'notRead' | 'notServed' | 'nothingMeasured' {
  if (took !== null) return 'nothingMeasured';
  return warden?.figures ? 'notServed' : 'notRead';
}

function otherDecisions({ decisions }: Figures): number {
  return decisions.failed_over + decisions.client_pinned + decisions.balanced + decisions.unrouted;
}

const promptTokens =
  ({ compact }: Format) =>
  (took: Figures): string =>
    `${compact(took.prompt_cached_tokens)} · ${compact(took.prompt_computed_tokens)}`;

function firstByte({ took }: Row, { seconds }: Format): string | null {
  const { p50, p95 } = took?.ttfb_seconds ?? { p50: null, p95: null };
  return p50 === null || p95 === null ? null : `${seconds(p50)} · ${seconds(p95)}`;
}

function Alerts({ row }: { readonly row: Row }) {
  const t = useTranslations('fleet');
  const { exact } = useFormat();
  if (row.alerts !== null && row.alerts > 0) return <Pill tone="warn">{exact(row.alerts)}</Pill>;
  return <Reported value={row.alerts} format={exact} why={t(missing(row))} />;
}

function Named({ warden: { url, self, problem } }: { readonly warden: WardenFigures }) {
  return (
    <span className="block min-w-40 whitespace-normal">
      <WardenName url={url} self={self} />
      {problem === null ? null : <Problem problem={problem} />}
    </span>
  );
}

function Problem({ problem: { code, status, message } }: { readonly problem: FiguresProblem }) {
  const t = useTranslations('fleet');
  const isTold = code === 'unreachable' || code === 'refused_address';
  return (
    <span className="mt-1 block font-normal text-muted text-xs">
      <span className="text-warn">{t('notRead')}</span>{' '}
      {code === 'failed' ? t('problems.failed', { status: status ?? 0 }) : t(`problems.${code}`)}
      {isTold ? <span className="text-faint"> ({message})</span> : null}
    </span>
  );
}
