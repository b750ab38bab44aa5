import { Suspense } from 'react';
import { StatsPage } from '#components/stats/stats-page.tsx';

/** The filters are in the address, which the static shell does not know: they render in the browser. */
export default function Page() {
  return (
    <Suspense>
      <StatsPage />
    </Suspense>
  );
}
