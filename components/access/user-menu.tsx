'use client';

import { CircleUserRound, KeyRound, LogOut } from 'lucide-react';
import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import { useTranslations } from 'use-intl';
import { useSession, useSignOut } from '#components/data/session.ts';
import { IconButton } from '#components/ui/icon-button.tsx';
import { SignOutFailed } from './sign-out-failed.tsx';

const ITEM = 'flex h-8 cursor-pointer items-center gap-2.5 rounded px-2 outline-none data-[highlighted]:bg-hover';

/** Who is signed in, and the way out; nothing where nobody has to sign in. */
export function UserMenu() {
  const t = useTranslations('access');
  const session = useSession().data;
  const signOut = useSignOut();
  if (!session?.name || session.role === null) return null;
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <IconButton label={t('menu.label', { name: session.name })}>
            <CircleUserRound aria-hidden="true" className="size-4" />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            sideOffset={6}
            collisionPadding={8}
            className="z-50 min-w-44 max-w-72 rounded-md border border-line-strong bg-raised p-1"
          >
            <DropdownMenu.Label className="px-2 pt-1.5 pb-2">
              <span className="block truncate font-medium">{session.name}</span>
              <span className="block text-muted text-xs">{t(`roles.${session.role}`)}</span>
            </DropdownMenu.Label>
            <DropdownMenu.Separator className="my-1 h-px bg-line" />
            <DropdownMenu.Item asChild className={ITEM}>
              <Link href="/access">
                <KeyRound aria-hidden="true" className="size-4 text-muted" />
                {t('menu.access')}
              </Link>
            </DropdownMenu.Item>
            <DropdownMenu.Item className={ITEM} onSelect={() => signOut.mutate()}>
              <LogOut aria-hidden="true" className="size-4 text-muted" />
              {t('menu.signOut')}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <SignOutFailed signOut={signOut} />
    </>
  );
}
