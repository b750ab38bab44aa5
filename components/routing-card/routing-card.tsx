'use client';

import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { useRouting } from '#components/data/queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { WaitingForEngine } from '#components/engine/waiting-for-engine.tsx';
import { Card } from '#components/ui/card.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { Health } from '#components/ui/health.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { RoutingState } from '#lib/contract/models.ts';
import { AffinitySwitch } from './affinity-switch.tsx';
import { CacheFitSwitch } from './cache-fit-switch.tsx';
import { CountingLine } from './counting-line.tsx';
import { ReplicaTable } from './replica-table.tsx';
import { RoomSection } from './room-section.tsx';
import { RoutingLabels } from './routing-labels.tsx';

/** The model's routing at a glance and its controls, which take effect on the next request. */
export function RoutingCard() {
  const t = useTranslations('model.routing');
  const query = useRouting(useModelName());
  const aboutId = useId();
  const state = query.data;
  return (
    <Card
      title={t('title')}
      note={state ? <Health health={state.health} /> : null}
      actions={
        state ? (
          <ForAdmins>
            <AffinitySwitch state={state} />
            <CacheFitSwitch state={state} describedBy={aboutId} />
          </ForAdmins>
        ) : null
      }
      flush
    >
      <PollState query={query} loading={<Loading />}>
        {(data) => <Body state={data} aboutId={aboutId} />}
      </PollState>
    </Card>
  );
}

function Body({ state, aboutId }: { readonly state: RoutingState; readonly aboutId: string }) {
  return (
    <>
      <WaitingForEngine requests={state.waiting_for_engine} className="m-4" />
      <RoutingLabels state={state} />
      <ReplicaTable state={state} />
      <RoomSection state={state} aboutId={aboutId} />
      <CountingLine state={state} />
    </>
  );
}

function Loading() {
  return (
    <div className="space-y-3 p-4">
      <Skeleton className="h-6 w-80 max-w-full" />
      <Skeleton className="h-44" />
      <Skeleton className="h-36" />
    </div>
  );
}
