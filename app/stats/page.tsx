import { Suspense } from 'react';
import { KeyUsage } from '#components/access/key-usage.tsx';
import { StatsPage } from '#components/stats/stats-page.tsx';

/** The filters are in the address, which the static shell does not know: they render in the browser. */
export default function Page() {
  return (
    <Suspense>
      <div className="space-y-5">
        <StatsPage />
        <KeyUsage whereUsed />
      </div>
    </Suspense>
  );
}
