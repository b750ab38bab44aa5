import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Age } from '#components/ui/age.tsx';
import { Button } from '#components/ui/button.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { ApiKeyState } from '#lib/contract/access.ts';

type Props = {
  readonly keys: readonly ApiKeyState[];
  /** Null: they may not be revoked by who looks at them. */
  readonly onRevoke: ((key: ApiKeyState) => void) | null;
};

const TONES = { active: 'ok', expired: 'warn', revoked: 'plain' } as const;

/** One row a key: by what it is recognised, what it may, when it was used. */
export function KeyTable({ keys, onRevoke }: Props) {
  const t = useTranslations('access.keys');
  const format = useFormat();
  const columns: [Column<ApiKeyState>, ...Column<ApiKeyState>[]] = [
    {
      header: t('table.name'),
      cell: ({ name, prefix }) => (
        <span className="block min-w-0">
          <span className="break-words">{name}</span>
          <span className="block font-mono font-normal text-muted text-xs">{prefix}…</span>
        </span>
      ),
    },
    { header: t('table.state'), cell: ({ state }) => <Pill tone={TONES[state]}>{t(`states.${state}`)}</Pill> },
    {
      header: t('table.models'),
      cell: ({ models }) => <span className="break-words">{models === null ? t('allModels') : models.join(', ')}</span>,
    },
    { header: t('table.limits'), cell: (key) => <Limits apiKey={key} /> },
    {
      header: t('table.expires'),
      cell: ({ expires_at }) => (expires_at === null ? t('never') : format.day(Date.parse(expires_at))),
    },
    {
      header: t('table.lastUsed'),
      cell: ({ last_used_at }) => (last_used_at === null ? t('never') : <Age time={last_used_at} />),
    },
    {
      header: t('table.made'),
      cell: ({ created_at, created_by }) => (
        <span>
          {format.day(Date.parse(created_at))}{' '}
          <span className="text-muted text-xs">{t('madeBy', { name: created_by })}</span>
        </span>
      ),
    },
    {
      header: t('table.actions'),
      corner: true,
      cell: (key) =>
        key.state === 'revoked' || onRevoke === null ? null : (
          <Button look="quiet" aria-label={t('revokeNamed', { name: key.name })} onClick={() => onRevoke(key)}>
            {t('revoke')}
          </Button>
        ),
    },
  ];
  return <Table caption={t('table.caption')} columns={columns} rows={keys} rowKey={({ id }) => String(id)} />;
}

function Limits({ apiKey }: { readonly apiKey: ApiKeyState }) {
  const t = useTranslations('access.keys');
  const format = useFormat();
  const { requests_per_minute, concurrent_requests } = apiKey;
  if (requests_per_minute === null && concurrent_requests === null) return t('noLimit');
  return (
    <span className="tabular-nums">
      {requests_per_minute === null ? null : (
        <span className="block">{t('perMinute', { n: format.exact(requests_per_minute) })}</span>
      )}
      {concurrent_requests === null ? null : (
        <span className="block">{t('atATime', { n: format.exact(concurrent_requests) })}</span>
      )}
    </span>
  );
}
