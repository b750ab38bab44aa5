'use client';

import { useTranslations } from 'use-intl';
import { useDatabase } from '#components/data/settings.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Card } from '#components/ui/card.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { DatabaseState } from '#lib/contract/settings.ts';

type TableRow = DatabaseState['tables'][number];

/** The database on the disk, and what of it is in which table. */
export function DatabaseCard() {
  const t = useTranslations('settings.database');
  return (
    <Card title={t('title')} flush>
      <PollState query={useDatabase()} loading={<Skeleton className="m-4 h-96" />}>
        {(database) => (
          <>
            <DatabaseFacts database={database} />
            <Tables tables={database.tables} />
          </>
        )}
      </PollState>
    </Card>
  );
}

function DatabaseFacts({ database }: { readonly database: DatabaseState }) {
  const t = useTranslations('settings.database');
  const format = useFormat();
  const { file, file_bytes, wal_bytes, waiting_rows, dropped_rows } = database;
  const size =
    file_bytes === null || wal_bytes === null
      ? t('inMemory')
      : t('sizes', { file: format.bytes(file_bytes), wal: format.bytes(wal_bytes) });
  return (
    <FactList className="p-4">
      <Fact name={t('file')}>
        <code className="font-mono text-xs">{file}</code>
      </Fact>
      <Fact name={t('size')}>{size}</Fact>
      <Fact name={t('waiting')}>{t('waitingRows', { count: waiting_rows })}</Fact>
      {dropped_rows > 0 ? <Fact name={t('dropped')}>{t('waitingRows', { count: dropped_rows })}</Fact> : null}
    </FactList>
  );
}

function Tables({ tables }: { readonly tables: readonly TableRow[] }) {
  const t = useTranslations('settings.database');
  const format = useFormat();
  const columns: readonly [Column<TableRow>, ...Column<TableRow>[]] = [
    { id: 'table', header: t('table'), cell: ({ name }) => <code className="font-mono text-xs">{name}</code> },
    { id: 'rows', header: t('rows'), align: 'end', cell: ({ rows }) => format.exact(rows) },
    { id: 'bytes', header: t('bytes'), align: 'end', cell: ({ bytes }) => format.bytes(bytes) },
  ];
  return (
    <div className="border-line border-t">
      <Table caption={t('caption')} columns={columns} rows={tables} rowKey={({ name }) => name} stack={false} tall />
    </div>
  );
}
