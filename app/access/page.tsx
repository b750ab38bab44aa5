import { Suspense } from 'react';
import { AccessPage } from '#components/access/access-page.tsx';

/** The filters are in the address, which the static shell does not know: they render in the browser. */
export default function Page() {
  return (
    <Suspense>
      <AccessPage />
    </Suspense>
  );
}
