'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSessions } from '#components/data/activity.ts';
import { useRouting } from '#components/data/queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Homes } from './homes.tsx';
import { NoSessions } from './no-sessions.tsx';
import { SessionPanel } from './session-panel.tsx';
import { SessionTable } from './session-table.tsx';

const SHOWN = 8;

/** Who lives where on the model that the address names: the replicas' homes, and the newest sessions. */
export function ModelSessions() {
  const t = useTranslations('sessions');
  const model = useModelName();
  const [opened, setOpened] = useState<string | null>(null);
  const query = useSessions(model);
  const routing = useRouting(model);
  const count = query.data?.total ?? 0;
  const all = <TextLink href={`/sessions?model=${encodeURIComponent(model)}`}>{t('all')}</TextLink>;
  return (
    <Card
      title={t('live')}
      note={count > SHOWN ? t('newestOf', { shown: String(SHOWN), count: String(count) }) : count > 0 ? count : null}
      actions={count > 0 ? all : null}
      flush
    >
      <PollState query={query} loading={<Skeleton className="m-4 h-32" />}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <NoSessions />
          ) : (
            <>
              <div className="border-line border-b px-4 py-3">
                <Homes sessions={sessions} capacities={routing.data?.replicas ?? []} />
              </div>
              <SessionTable sessions={sessions.slice(0, SHOWN)} withModel={false} opened={opened} onOpen={setOpened} />
            </>
          )
        }
      </PollState>
      {opened === null ? null : <SessionPanel key={opened} session={opened} onClose={() => setOpened(null)} />}
    </Card>
  );
}
