import { useTranslations } from 'use-intl';
import { useNow } from '#components/data/ticker.ts';
import { useFormat } from '#components/language/use-format.ts';
import { type Column, Table } from '#components/ui/table.tsx';
import type { AuditEntryState } from '#lib/contract/access.ts';
import { useActionName } from './audit-action.ts';
import { useSystemActor } from './audit-actor.ts';

/** The changes: when, who, what, of what, and from what to what. */
export function AuditTable({ entries }: { readonly entries: readonly AuditEntryState[] }) {
  const t = useTranslations('access.audit');
  const access = useTranslations('access');
  const nameOf = useActionName();
  const systemActor = useSystemActor();
  const format = useFormat();
  const now = useNow();
  const columns: [Column<AuditEntryState>, ...Column<AuditEntryState>[]] = [
    {
      header: t('table.time'),
      cell: ({ time }) => (
        <time dateTime={time} title={time} className="whitespace-nowrap tabular-nums">
          {now === null ? format.dateTime(Date.parse(time)) : format.moment(Date.parse(time), now)}
        </time>
      ),
    },
    {
      header: t('table.actor'),
      cell: ({ actor, role }) =>
        actor === 'local' ? (
          <span title={t('localWhy')}>{t('local')}</span>
        ) : (
          <span className="break-all">
            {role === 'system' ? systemActor(actor) : actor}
            {role === 'admin' || role === 'viewer' ? (
              <span className="block text-muted text-xs">{access(`roles.${role}`)}</span>
            ) : null}
          </span>
        ),
    },
    { header: t('table.action'), cell: ({ action }) => nameOf(action) },
    { header: t('table.subject'), cell: ({ subject }) => <span className="break-all">{subject ?? '–'}</span> },
    { header: t('table.change'), wide: true, cell: (entry) => <Change entry={entry} /> },
    {
      header: t('table.address'),
      cell: ({ address }) => <span className="break-all font-mono text-xs">{address ?? '–'}</span>,
    },
  ];
  return <Table caption={t('title')} columns={columns} rows={entries} rowKey={({ id }) => String(id)} />;
}

/** One line a value that changed. Its name is that of the API. */
function Change({ entry: { before, after } }: { readonly entry: AuditEntryState }) {
  const t = useTranslations('access.audit');
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return '–';
  const shown = (value: unknown) => {
    if (value === undefined || value === null) return t('nothing');
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return (
    <ul className="space-y-0.5 font-mono text-xs">
      {names.map((name) => (
        <li key={name} className="break-words">
          <span className="text-muted">{name} </span>
          {before === null ? null : <span className="line-through decoration-faint">{shown(before[name])}</span>}
          {before !== null && after !== null ? <span aria-hidden="true"> → </span> : null}
          {after === null ? null : <span>{shown(after[name])}</span>}
        </li>
      ))}
    </ul>
  );
}
