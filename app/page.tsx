import { AddModelDialog } from '#components/models/add-model.tsx';
import { OverviewPage } from '#components/models/overview-page.tsx';

export default function Page() {
  return (
    <>
      <OverviewPage />
      <AddModelDialog />
    </>
  );
}
