import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pale } from '#components/ui/pale.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { SearchField } from '#components/ui/search-field.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { auditAction, SYSTEM_ACTORS } from '#lib/contract/access.ts';
import { useActionName } from './audit-action.ts';
import { useSystemActor } from './audit-actor.ts';
import { AuditTable } from './audit-table.tsx';
import { useAudit, usePeople } from './queries.ts';
import { useAuditSearch } from './url-state.ts';
import { useAuditCsv } from './use-audit-csv.ts';

const ROWS_A_PAGE = 50;

/** Every change, newest first, with filters in the address. */
export function AuditCard() {
  const t = useTranslations('access.audit');
  const { search, isNarrowed, narrow, goTo, clear } = useAuditSearch();
  const words = useFailureWords();
  const csv = useAuditCsv(search);
  const query = useAudit(search, ROWS_A_PAGE);
  const entries = query.data?.entries ?? [];
  const next = query.data?.next ?? null;
  return (
    <Card
      title={t('title')}
      note={t('what')}
      actions={
        <Button disabled={csv.isPending} onClick={() => csv.mutate()}>
          {t('csv')}
        </Button>
      }
      flush
    >
      {csv.error === null ? null : (
        <Notice tone="bad" title={words(csv.error).title} className="m-4">
          {words(csv.error).detail}
        </Notice>
      )}
      <search aria-label={t('filters')} className="flex flex-wrap gap-2 border-line border-b px-4 py-3">
        <AuditFilters search={search} narrow={narrow} />
        {isNarrowed ? (
          <Button look="quiet" onClick={clear}>
            {t('clear')}
          </Button>
        ) : null}
      </search>
      <PollState query={query} loading={<Skeleton className="m-4 h-48" />}>
        {() => {
          if (entries.length > 0) {
            return (
              <Pale of={query}>
                <AuditTable entries={entries} />
              </Pale>
            );
          }
          return isNarrowed ? <Empty title={t('noMatch')} /> : <Empty title={t('none')}>{t('noneWhy')}</Empty>;
        }}
      </PollState>
      {next === null && search.before === null ? null : (
        <nav aria-label={t('pages')} className="flex flex-wrap justify-end gap-2 border-line border-t px-4 py-2">
          {search.before === null ? null : <Button onClick={() => goTo(null)}>{t('newest')}</Button>}
          <Button disabled={next === null || query.isPlaceholderData} onClick={() => goTo(next)}>
            {t('older')}
          </Button>
        </nav>
      )}
    </Card>
  );
}

type FiltersProps = Pick<ReturnType<typeof useAuditSearch>, 'search' | 'narrow'>;

function AuditFilters({ search, narrow }: FiltersProps) {
  const t = useTranslations('access.audit');
  const nameOf = useActionName();
  const names = usePeople().data?.people.map(({ name }) => name) ?? [];
  const systemActor = useSystemActor();
  const actors = [...new Set([...names, 'local', ...SYSTEM_ACTORS, ...(search.actor === null ? [] : [search.actor])])];
  return (
    <>
      <Select
        label={t('actor')}
        value={search.actor ?? ''}
        options={[
          { value: '', label: t('anyActor') },
          ...actors.map((value) => ({ value, label: value === 'local' ? t('local') : systemActor(value) })),
        ]}
        onChange={(actor) => narrow({ actor })}
      />
      <Select
        label={t('action')}
        value={search.action ?? ''}
        options={[
          { value: '', label: t('anyAction') },
          ...auditAction.options.map((value) => ({ value, label: nameOf(value) })),
        ]}
        onChange={(action) => narrow({ action })}
      />
      <SearchField
        label={t('search')}
        placeholder={t('search')}
        value={search.text ?? ''}
        onChange={(text) => narrow({ text })}
      />
    </>
  );
}
