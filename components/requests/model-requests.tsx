'use client';

import { useRequests } from '#components/data/queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { NoRequests } from './no-requests.tsx';
import { RequestTable } from './request-table.tsx';

const SHOWN = 10;

/** The newest requests of the model that the address names. */
export function ModelRequests() {
  const model = useModelName();
  const query = useRequests(model, SHOWN);
  const all = <TextLink href={`/requests?model=${encodeURIComponent(model)}`}>All requests</TextLink>;
  return (
    <Card title="Newest requests" actions={query.data?.requests.length ? all : null} flush>
      <PollState query={query} loading={<Skeleton className="m-4 h-48" />}>
        {({ requests }) =>
          requests.length === 0 ? <NoRequests /> : <RequestTable requests={requests} withModel={false} />
        }
      </PollState>
    </Card>
  );
}
