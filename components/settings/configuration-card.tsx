'use client';

import { useTranslations } from 'use-intl';
import { useTableState } from '#components/data/table-state.ts';
import { useSearchText } from '#components/data/url-state.ts';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { SearchField } from '#components/ui/search-field.tsx';
import { searchRows } from '#components/ui/search-rows.ts';
import { type Column, Table } from '#components/ui/table.tsx';
import type { SettingEntry, SettingsState } from '#lib/contract/settings.ts';

type Row = SettingEntry & { readonly scope: string; readonly id: string };

/** Every setting in force: its value, what it is of, and where it comes from. */
export function ConfigurationCard({ settings }: { readonly settings: SettingsState }) {
  const t = useTranslations('settings.configuration');
  const [search, setSearch] = useSearchText();
  const state = useTableState({ column: 'scope', descending: false });
  const rows = rowsOf(settings, { process: t('process'), everything: t('everything') });
  const found = searchRows(rows, search, ({ key, scope, value }) => [key, scope, String(value ?? '')]);
  const columns: readonly [Column<Row>, ...Column<Row>[]] = [
    {
      id: 'key',
      header: t('key'),
      cell: ({ key }) => <code className="break-all font-mono text-xs">{key}</code>,
      sortBy: ({ key }) => key,
    },
    { id: 'value', header: t('value'), cell: (row) => <Value entry={row} />, wide: true },
    {
      id: 'source',
      header: t('source'),
      cell: (row) => <Source entry={row} file={settings.config_file} />,
      sortBy: ({ source, line }) => `${source} ${line ?? ''}`,
    },
    { id: 'scope', header: t('scope'), cell: ({ scope }) => scope, sortBy: ({ id }) => id },
  ];
  const searching = (
    <SearchField
      label={t('search')}
      placeholder={t('placeholder')}
      value={search}
      onChange={(text) => void setSearch(text || null)}
    />
  );
  return (
    <Card title={t('title')} note={t('note', { count: found.length })} actions={searching} flush>
      {found.length === 0 ? (
        <Empty title={t('none', { search })} />
      ) : (
        <Table
          caption={t('title')}
          columns={columns}
          rows={found}
          rowKey={({ id }) => id}
          state={state}
          pageSize={100}
        />
      )}
    </Card>
  );
}

/** The process first, then what holds for all models, then each model. The id keeps that order. */
function rowsOf(settings: SettingsState, names: { readonly process: string; readonly everything: string }): Row[] {
  const groups = [
    { scope: names.process, entries: settings.process },
    { scope: names.everything, entries: settings.limits },
    ...settings.models.map(({ name, entries }) => ({ scope: name, entries })),
  ];
  return groups.flatMap(({ scope, entries }, group) =>
    entries.map((entry, index) => ({ ...entry, scope, id: `${group} ${index} ${entry.key}` })),
  );
}

function Value({ entry: { value, secret } }: { readonly entry: SettingEntry }) {
  const t = useTranslations('settings.configuration');
  if (secret) return <span className="text-muted">{t('secret')}</span>;
  if (value === null) return <span className="text-faint">{t('unset')}</span>;
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  const lines = Array.isArray(value) ? value : [String(value)];
  if (lines.length === 0) return <span className="text-faint">{t('empty')}</span>;
  return lines.map((line) => (
    <code key={line} className="block break-all font-mono text-xs">
      {line}
    </code>
  ));
}

function Source({ entry, file }: { readonly entry: SettingEntry; readonly file: string | null }) {
  const t = useTranslations('settings.configuration');
  const { source, line, variables } = entry;
  if (source === 'default') return <span className="text-faint">{t('default')}</span>;
  if (source === 'console') return <Pill tone="accent">{t('console')}</Pill>;
  if (source === 'environment') return t('environment');
  const name = file?.split('/').at(-1) ?? '';
  return (
    <span title={file ?? undefined}>
      {line === null ? name : t('file', { file: name, line: String(line) })}
      {variables.length > 0 ? (
        <span className="block text-muted text-xs">{t('variables', { names: variables.join(', ') })}</span>
      ) : null}
    </span>
  );
}
