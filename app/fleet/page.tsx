import { FleetPage } from '#components/fleet/fleet-page.tsx';

export default function Page() {
  return <FleetPage />;
}
