'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { isAt, PAGES } from './pages.ts';

/** The list of pages; the current one is marked. */
export function Navigation({ onNavigate }: { readonly onNavigate?: () => void }) {
  const t = useTranslations('shell');
  const path = usePathname();
  return (
    <nav aria-label={t('pagesLabel')}>
      <ul className="space-y-0.5">
        {PAGES.map((page) => {
          const here = isAt(page, path);
          return (
            <li key={page.href}>
              <Link
                href={page.href}
                aria-current={here ? 'page' : undefined}
                {...(onNavigate ? { onClick: onNavigate } : { title: t(`pages.${page.id}`) })}
                className={clsx(
                  'flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium transition-colors hover:bg-hover hover:text-ink',
                  here ? 'bg-hover text-ink' : 'text-muted',
                )}
              >
                <page.icon aria-hidden="true" className="size-4 shrink-0" />
                <span className="rail-label">{t(`pages.${page.id}`)}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
