'use client';

import { useIsWaiting } from '#components/data/failure.ts';
import { useModels, useStatus } from '#components/data/queries.ts';
import { Loading } from '#components/ui/loading.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { DemoControl } from './demo-control.tsx';
import { Overview } from './overview.tsx';

/** What is served, under the controls of the simulated fleet where there is one: neither pushes the other. */
export function OverviewPage() {
  const status = useStatus();
  const models = useModels();
  const waitsForStatus = useIsWaiting(status);
  const waitsForModels = useIsWaiting(models);
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
