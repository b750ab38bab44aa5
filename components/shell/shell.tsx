'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AlertBanners } from '#components/alerts/alert-banners.tsx';
import { usePauseInAddress } from '#components/data/pause.ts';
import { Banners } from './banners.tsx';
import { LazyHelpDialog } from './lazy-help-dialog.tsx';
import { LOGIN, TabTitle } from './page-title.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Sidebar } from './sidebar.tsx';
import { Topbar } from './topbar.tsx';

/** What stands around every page but the one before them all: who is not signed in has nothing to navigate to. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <TabTitle />
      {usePathname() === LOGIN ? children : <Frame>{children}</Frame>}
    </>
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('shell');
  const [help, setHelp] = useState(false);
  const openHelp = useCallback(() => setHelp(true), []);
  useShortcuts(openHelp);
  usePauseInAddress(usePathname());
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[4rem_minmax(0,1fr)] xl:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-ink px-3 py-2 text-canvas focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('skipToContent')}
      </a>
      <Sidebar onHelp={openHelp} />
      <div className="min-w-0">
        <Topbar />
        <Banners />
        <AlertBanners />
        <main id="main" tabIndex={-1} className="page-width mx-auto px-4 py-5 md:px-6 md:py-6">
          {children}
        </main>
      </div>
      <LazyHelpDialog open={help} onOpenChange={setHelp} />
    </div>
  );
}
