'use client';

import { Suspense } from 'react';
import { useIsWaiting } from '#components/data/failure.ts';
import { useModels, useStatus } from '#components/data/queries.ts';
import { WithWords } from '#components/language/with-words.tsx';
import { models } from '#components/messages/en/models.ts';
import { Loading } from '#components/ui/loading.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { AddModelDialog } from './add-model.tsx';
import { DemoControl } from './demo-control.tsx';
import { Overview } from './overview.tsx';

/** What is served, under the controls of the simulated fleet where there is one: neither pushes the other. */
export function OverviewPage() {
  return (
    <WithWords english={WORDS}>
      <Content />
      {/* Whether it is open is in the address, which the static shell does not know: it renders in the browser. */}
      <Suspense>
        <AddModelDialog />
      </Suspense>
    </WithWords>
  );
}

const WORDS = { models } as const;

function Content() {
  const status = useStatus();
  const list = useModels();
  const waitsForStatus = useIsWaiting(status);
  const waitsForModels = useIsWaiting(list);
  if (waitsForStatus || waitsForModels) {
    return (
      <Loading>
        <div className="grid gap-4 xl:grid-cols-2">
          <Skeleton className="h-56" />
          <Skeleton className="h-56" />
        </div>
      </Loading>
    );
  }
  return (
    <div className="space-y-5">
      <DemoControl />
      <Overview />
    </div>
  );
}
