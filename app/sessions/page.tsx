import { Suspense } from 'react';
import { SessionsPage } from '#components/sessions/sessions-page.tsx';

/** The filters are in the address, which the static shell does not know: they render in the browser. */
export default function Page() {
  return (
    <Suspense>
      <SessionsPage />
    </Suspense>
  );
}
