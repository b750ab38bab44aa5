import { ConnectPage } from '#components/connect/connect-page.tsx';

export default function Page() {
  return <ConnectPage />;
}
