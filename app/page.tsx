import { OverviewPage } from '#components/models/overview-page.tsx';

export default function Page() {
  return <OverviewPage />;
}
