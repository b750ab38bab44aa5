'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { UserMenu } from '#components/access/user-menu.tsx';
import { AlertBell } from '#components/alerts/alert-bell.tsx';
import { useStatus } from '#components/data/queries.ts';
import { Pill } from '#components/ui/pill.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { LiveControl } from './live-control.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import { modelInPath, usePageTitle } from './page-title.tsx';
import { ThemeMenu } from './theme-menu.tsx';

/** The bar above every page: where one is, whether the fleet is simulated, how old the data is. */
export function Topbar() {
  const t = useTranslations('shell');
  const { data } = useStatus();
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-2 border-b bg-canvas px-4 md:px-6">
      <MobileMenu />
      <Title />
      <div className="flex flex-1 items-center justify-end gap-2.5">
        {data?.simulated ? (
          <span title={t('simulatedWhy')}>
            <Pill tone="warn">
              {t.rich('simulated', { wide: (text) => <span className="max-sm:sr-only">{text}</span> })}
            </Pill>
          </span>
        ) : null}
        <LiveControl />
        <AlertBell />
        <span className="flex gap-0.5 max-sm:hidden">
          <UserMenu />
          <LanguageMenu />
          <ThemeMenu />
        </span>
      </div>
    </header>
  );
}

function Title() {
  const t = useTranslations('shell');
  const title = usePageTitle();
  if (modelInPath(usePathname()) !== null) {
    return (
      <div className="flex min-w-0 items-center gap-1.5">
        <Link href="/" className="rounded text-muted hover:text-ink max-sm:hidden">
          {t('pages.models')}
        </Link>
        <span aria-hidden="true" className="text-faint max-sm:hidden">
          /
        </span>
        <h1 className="truncate font-semibold" title={title}>
          {title}
        </h1>
      </div>
    );
  }
  return <h1 className="truncate font-semibold">{title}</h1>;
}
