'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRequests } from '#components/data/activity.ts';
import { useModelName } from '#components/data/url-state.ts';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { NoRequests } from './no-requests.tsx';
import { RequestDetails } from './request-details.tsx';
import { RequestTable } from './request-table.tsx';

const SHOWN = 10;

/** The newest requests of the model that the address names. */
export function ModelRequests() {
  const t = useTranslations('requests');
  const model = useModelName();
  const [opened, setOpened] = useState<string | null>(null);
  const query = useRequests({ model, limit: String(SHOWN) });
  const all = <TextLink href={`/requests?model=${encodeURIComponent(model)}`}>{t('all')}</TextLink>;
  return (
    <Card title={t('newest')} actions={query.data?.requests.length ? all : null} flush>
      <PollState query={query} loading={<Skeleton className="m-4 h-48" />}>
        {({ requests }) =>
          requests.length === 0 ? (
            <NoRequests />
          ) : (
            <RequestTable
              caption={t('newest')}
              requests={requests}
              withModel={false}
              opened={opened}
              onOpen={setOpened}
            />
          )
        }
      </PollState>
      {opened === null ? null : (
        <RequestDetails
          key={opened}
          id={opened}
          request={query.data?.requests.find(({ id }) => id === opened) ?? null}
          onClose={() => setOpened(null)}
        />
      )}
    </Card>
  );
}
