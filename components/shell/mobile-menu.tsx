'use client';

import { Menu, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { UserMenu } from '#components/access/user-menu.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { Navigation } from './navigation.tsx';
import { ThemeMenu } from './theme-menu.tsx';
import { Wordmark } from './wordmark.tsx';

/** The navigation on narrow screens: a button and a sheet from the left. */
export function MobileMenu() {
  const t = useTranslations('shell');
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label={t('menu')}
        className="-ml-1.5 inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink md:hidden"
      >
        <Menu aria-hidden="true" className="size-5" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-64 flex-col gap-5 border-r bg-subtle px-3 py-3"
        >
          <div className="flex items-center justify-between pl-1.5">
            <Dialog.Title>
              <Wordmark />
            </Dialog.Title>
            <Dialog.Close
              aria-label={t('closeMenu')}
              className="inline-flex size-9 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <X aria-hidden="true" className="size-5" />
            </Dialog.Close>
          </div>
          <Navigation onNavigate={() => setOpen(false)} />
          <div className="mt-auto flex gap-1 pl-1 sm:hidden">
            <UserMenu />
            <LanguageMenu />
            <ThemeMenu />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
