import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AccessPage } from '#components/access/access-page.tsx';

export const metadata: Metadata = { title: 'Access' };

/** The filters are in the address, which the static shell does not know: they render in the browser. */
export default function Page() {
  return (
    <Suspense>
      <AccessPage />
    </Suspense>
  );
}
