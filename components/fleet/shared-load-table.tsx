import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { type Column, Table } from '#components/ui/table.tsx';
import type { FleetState } from '#lib/contract/fleet.ts';

type Row = FleetState['replicas'][number];

/** What every replica works on, by who sent it. */
export function SharedLoadTable({ replicas }: { readonly replicas: readonly Row[] }) {
  const t = useTranslations('fleet');
  const { exact } = useFormat();
  const columns: readonly [Column<Row>, ...Column<Row>[]] = [
    { id: 'model', header: t('model'), cell: (row) => row.model },
    {
      id: 'replica',
      header: t('replica'),
      cell: (row) => (
        <span>
          {exact(row.replica)} <span className="text-faint text-xs">{row.url}</span>
        </span>
      ),
    },
    { id: 'here', header: t('here'), align: 'end', cell: (row) => exact(row.in_flight_here) },
    { id: 'elsewhere', header: t('elsewhere'), align: 'end', cell: (row) => exact(row.in_flight_elsewhere) },
    {
      id: 'together',
      header: t('together'),
      align: 'end',
      cell: (row) => exact(row.in_flight_here + row.in_flight_elsewhere),
    },
  ];
  return (
    <Table caption={t('replicas')} columns={columns} rows={replicas} rowKey={(row) => `${row.model} ${row.replica}`} />
  );
}
