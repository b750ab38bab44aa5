'use client';

import { Keyboard } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { useStatus } from '#components/data/queries.ts';
import { Navigation } from './navigation.tsx';
import { Wordmark } from './wordmark.tsx';

/** The left column: pages by their icons alone where the width is wanted for tables, with their names on wide screens. */
export function Sidebar({ onHelp }: { readonly onHelp: () => void }) {
  const t = useTranslations('shell');
  const { data } = useStatus();
  return (
    <aside
      aria-label={t('console')}
      className="rail sticky top-0 z-30 hidden h-dvh flex-col gap-5 border-r bg-subtle px-3 py-3.5 md:flex max-xl:px-2.5"
    >
      <div className="px-1.5">
        <Link href="/" className="rounded-md">
          <Wordmark />
        </Link>
      </div>
      <Navigation />
      <div className="mt-auto space-y-2 px-1.5 text-muted text-xs">
        <button
          type="button"
          onClick={onHelp}
          title={t('keyboardShortcuts')}
          className="-mx-1.5 inline-flex h-8 items-center gap-2 rounded-md px-1.5 hover:bg-hover hover:text-ink"
        >
          <Keyboard aria-hidden="true" className="size-4" />
          <span className="rail-label">{t('keyboardShortcuts')}</span>
        </button>
        <p className="rail-label tabular-nums">{data ? t('version', { version: data.version }) : ' '}</p>
      </div>
    </aside>
  );
}
