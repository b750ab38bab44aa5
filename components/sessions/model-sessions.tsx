'use client';

import { useRouting, useSessions } from '#components/data/queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { Homes } from './homes.tsx';
import { NoSessions } from './no-sessions.tsx';
import { SessionTable } from './session-table.tsx';

const SHOWN = 8;

/** Who lives where on the model that the address names: the replicas' homes, and the newest sessions. */
export function ModelSessions() {
  const model = useModelName();
  const query = useSessions(model);
  const routing = useRouting(model);
  const count = query.data?.sessions.length ?? 0;
  const all = <TextLink href={`/sessions?model=${encodeURIComponent(model)}`}>All sessions</TextLink>;
  return (
    <Card
      title="Live sessions"
      note={count > SHOWN ? `newest ${SHOWN} of ${count}` : count > 0 ? count : null}
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
              <SessionTable sessions={sessions.slice(0, SHOWN)} withModel={false} />
            </>
          )
        }
      </PollState>
    </Card>
  );
}
