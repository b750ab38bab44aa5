'use client';

import { useSessions } from '#components/data/queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { NoSessions } from './no-sessions.tsx';
import { SessionTable } from './session-table.tsx';

const SHOWN = 12;

/** The newest sessions of the model that the address names. */
export function ModelSessions() {
  const query = useSessions(useModelName());
  const count = query.data?.sessions.length ?? 0;
  return (
    <Card title="Live sessions" note={count > SHOWN ? `newest ${SHOWN} of ${count}` : count > 0 ? count : null} flush>
      <PollState query={query} loading={<Skeleton className="m-4 h-32" />}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <NoSessions />
          ) : (
            <SessionTable sessions={sessions.slice(0, SHOWN)} withModel={false} />
          )
        }
      </PollState>
    </Card>
  );
}
