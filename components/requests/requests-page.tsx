'use client';

import { useTranslations } from 'use-intl';
import { useRequests } from '#components/data/activity.ts';
import { useModels } from '#components/data/queries.ts';
import { useModelFilter } from '#components/data/url-state.ts';
import { WithWords } from '#components/language/with-words.tsx';
import { requests } from '#components/messages/en/requests.ts';
import { sessions } from '#components/messages/en/sessions.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Pale } from '#components/ui/pale.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { NoRequests } from './no-requests.tsx';
import { RequestDetails } from './request-details.tsx';
import { RequestFilters } from './request-filters.tsx';
import { RequestTable } from './request-table.tsx';
import { useOpenRequest, useRequestFilter } from './url-state.ts';

const ROWS_A_PAGE = 50;

/** The finished requests: the newest or the slowest, and why each went where it went. */
export function RequestsPage() {
  return (
    <WithWords english={WORDS}>
      <Content />
    </WithWords>
  );
}

const WORDS = { requests, sessions } as const;

function Content() {
  const t = useTranslations('requests');
  const [model] = useModelFilter();
  const { filter, isNarrowed, narrow, clear, goTo, isFirstPage } = useRequestFilter();
  const [opened, open] = useOpenRequest();
  const models = useModels().data?.models ?? [];
  const query = useRequests({ ...filter, model, limit: String(ROWS_A_PAGE) });
  const requests = query.data?.requests ?? [];
  const next = query.data?.next ?? null;
  return (
    <div className="space-y-5">
      <RequestFilters filter={filter} narrow={narrow} clear={isNarrowed ? clear : null} />
      <Card title={t(`titles.${filter.order}`)} note={isFirstPage ? null : t('page')} flush>
        <PollState query={query} loading={<Skeleton className="m-4 h-64" />}>
          {() => {
            if (requests.length > 0) {
              return (
                <Pale of={query}>
                  <RequestTable
                    caption={t(`titles.${filter.order}`)}
                    requests={requests}
                    withModel={model === null && models.length > 1}
                    opened={opened}
                    onOpen={open}
                  />
                </Pale>
              );
            }
            return isNarrowed || !isFirstPage ? (
              <NoMatch isWindow={filter.window !== null} clear={clear} />
            ) : (
              <NoRequests />
            );
          }}
        </PollState>
        {next === null && isFirstPage ? null : (
          <nav aria-label={t('pages')} className="flex flex-wrap justify-end gap-2 border-line border-t px-4 py-2">
            {isFirstPage ? null : <Button onClick={() => goTo(null)}>{t('back')}</Button>}
            <Button disabled={next === null || query.isPlaceholderData} onClick={() => goTo(next)}>
              {t(filter.order === 'newest' ? 'older' : 'slower')}
            </Button>
          </nav>
        )}
      </Card>
      {opened === null || query.data === undefined ? null : (
        <RequestDetails
          key={opened}
          id={opened}
          request={requests.find(({ id }) => id === opened) ?? null}
          onClose={() => open(null)}
        />
      )}
    </div>
  );
}

function NoMatch({ isWindow, clear }: { readonly isWindow: boolean; readonly clear: () => void }) {
  const t = useTranslations('requests');
  return (
    <Empty title={t(isWindow ? 'noMatchIn' : 'noMatch')}>
      <Button className="mt-2" onClick={clear}>
        {t('clear')}
      </Button>
    </Empty>
  );
}
