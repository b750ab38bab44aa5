import { Suspense } from 'react';
import { AddModelDialog } from '#components/models/add-model.tsx';
import { OverviewPage } from '#components/models/overview-page.tsx';

/** Whether the dialog is open is in the address, which the static shell does not know: it renders in the browser. */
export default function Page() {
  return (
    <>
      <OverviewPage />
      <Suspense>
        <AddModelDialog />
      </Suspense>
    </>
  );
}
