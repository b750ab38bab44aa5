import { Suspense } from 'react';
import { ConnectPage } from '#components/connect/connect-page.tsx';

/** Model and client are in the address, which the static shell does not know: they render in the browser. */
export default function Page() {
  return (
    <Suspense>
      <ConnectPage />
    </Suspense>
  );
}
