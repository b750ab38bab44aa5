'use client';

import { useDeferredValue, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useIsWaiting } from '#components/data/failure.ts';
import { useTableState } from '#components/data/table-state.ts';
import { useModelFilter } from '#components/data/url-state.ts';
import { WithWords } from '#components/language/with-words.tsx';
import { requests } from '#components/messages/en/requests.ts';
import { sessions } from '#components/messages/en/sessions.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Loading } from '#components/ui/loading.tsx';
import { Pale } from '#components/ui/pale.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { SessionEntry } from '#lib/contract/activity.ts';
import { Homes } from './homes.tsx';
import { NoSessions } from './no-sessions.tsx';
import { filterSessions } from './session-filter.ts';
import { SessionFilters } from './session-filters.tsx';
import { SessionPanel } from './session-panel.tsx';
import { SessionTable } from './session-table.tsx';
import { useOpenSession, useSessionFilter } from './url-state.ts';
import { useSessionList } from './use-session-list.ts';

const ROWS_A_PAGE = 50;
const NONE: readonly SessionEntry[] = [];

/** Every conversation that has a home or waits for one: who lives where. */
export function SessionsPage() {
  return (
    <WithWords english={WORDS}>
      <Content />
    </WithWords>
  );
}

const WORDS = { requests, sessions } as const;

function Content() {
  const t = useTranslations('sessions');
  const [model] = useModelFilter();
  const { filter, isNarrowed, narrow, clear } = useSessionFilter();
  const [opened, open] = useOpenSession();
  const table = useTableState({ column: 'seen', descending: true });
  const query = useSessionList(model, filter.q);
  const waits = useIsWaiting(query);
  const sessions = query.data?.sessions ?? NONE;
  // What is typed is on screen at once, and what is found a moment later.
  const asked = useDeferredValue(filter);
  const found = useMemo(() => filterSessions(sessions, asked), [sessions, asked]);
  const total = query.data?.total ?? 0;
  const count =
    found.length === total ? found.length : t('matching', { found: String(found.length), count: String(total) });
  return (
    <div className="space-y-5">
      <SessionFilters sessions={sessions} filter={filter} narrow={narrow} clear={isNarrowed ? clear : null} />
      {found.length === 0 && !waits ? null : (
        <Card title={t('homes')} note={t('homesNote')}>
          {waits ? (
            <Loading>
              <Skeleton className="h-32" />
            </Loading>
          ) : (
            <Pale of={query}>
              <Homes sessions={found} />
            </Pale>
          )}
        </Card>
      )}
      <Card title={t('live')} note={query.data ? count : null} flush>
        <PollState query={query} loading={<Skeleton className="m-4 h-64" />}>
          {() => {
            if (total === 0) return <NoSessions />;
            if (found.length === 0) return <NoMatch count={total} clear={clear} />;
            return (
              <Pale of={query}>
                <SessionTable
                  sessions={found}
                  withModel={model === null && new Set(sessions.map((one) => one.model)).size > 1}
                  state={table}
                  pageSize={ROWS_A_PAGE}
                  opened={opened}
                  onOpen={open}
                />
              </Pale>
            );
          }}
        </PollState>
      </Card>
      {opened === null ? null : <SessionPanel key={opened} session={opened} onClose={() => open(null)} />}
    </div>
  );
}

function NoMatch({ count, clear }: { readonly count: number; readonly clear: () => void }) {
  const t = useTranslations('sessions');
  return (
    <Empty title={t('noMatch')}>
      {t.rich('noMatchWhy', {
        count,
        clear: (words) => (
          <Button className="mt-3" onClick={clear}>
            {words}
          </Button>
        ),
      })}
    </Empty>
  );
}
