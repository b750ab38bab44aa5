import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Age } from '#components/ui/age.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { FleetMember } from '#lib/contract/fleet.ts';
import { WardenName } from './warden-name.tsx';

type Row = { readonly id: string; readonly member: FleetMember | null; readonly models: FleetMember['models'] };

/** A row a warden; the last one, where there are several, sums them up. */
export function MemberTable({ members }: { readonly members: readonly FleetMember[] }) {
  const t = useTranslations('fleet');
  const { exact } = useFormat();
  const columns: readonly [Column<Row>, ...Column<Row>[]] = [
    {
      id: 'warden',
      header: t('warden'),
      cell: ({ member }) => (member === null ? t('total') : <WardenName url={member.url} self={member.self} />),
    },
    { id: 'version', header: t('version'), cell: ({ member }) => member?.version ?? '' },
    {
      id: 'started',
      header: t('started'),
      align: 'end',
      cell: ({ member }) => (member === null ? '' : <Age time={member.started_at} />),
    },
    { id: 'in-flight', header: t('inFlight'), align: 'end', cell: ({ models }) => exact(sum(models, 'in_flight')) },
    { id: 'held', header: t('held'), align: 'end', cell: ({ models }) => exact(sum(models, 'held')) },
    {
      id: 'placed',
      header: t('placedHere'),
      unit: t('placedHereUnit'),
      align: 'end',
      cell: ({ models }) => exact(sum(models, 'live_sessions')),
    },
  ];
  const rows: Row[] = members.map((member) => ({ id: member.id, member, models: member.models }));
  const total: Row = { id: 'total', member: null, models: members.flatMap(({ models }) => models) };
  const all = members.length > 1 ? [...rows, total] : rows;
  return <Table caption={t('wardens')} columns={columns} rows={all} rowKey={({ id }) => id} />;
}

function sum(models: FleetMember['models'], count: 'in_flight' | 'held' | 'live_sessions'): number {
  return models.reduce((total, model) => total + model[count], 0);
}
