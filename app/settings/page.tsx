import { Suspense } from 'react';
import { SettingsPage } from '#components/settings/settings-page.tsx';

/** The search is in the address, which the static shell does not know: it renders in the browser. */
export default function Page() {
  return (
    <Suspense>
      <SettingsPage />
    </Suspense>
  );
}
