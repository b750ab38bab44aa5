'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { pageAfterLogin } from '#components/data/login-address.ts';
import { useSession } from '#components/data/session.ts';
import { Wordmark } from '#components/shell/wordmark.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { SessionState } from '#lib/contract/access.ts';
import { FirstRunForm } from './first-run-form.tsx';
import { LoginForm } from './login-form.tsx';

/** What stands before the console: signing in, or making the first admin. */
export function LoginPage({ menus }: { readonly menus?: ReactNode }) {
  const t = useTranslations('access.login');
  const session = useSession();
  const isIn = session.data !== undefined && session.data.mode === 'password' && session.data.role !== null;
  useEffect(() => {
    if (isIn) location.replace(pageAfterLogin(location.search));
  }, [isIn]);
  return (
    <main id="main" className="flex min-h-dvh flex-col items-center px-4 py-10 sm:pt-[14vh]">
      <div className="w-full max-w-sm">
        <div className="flex items-center justify-between">
          <Wordmark />
          <span className="flex gap-0.5">{menus}</span>
        </div>
        <div className="mt-6 rounded-lg border border-line bg-raised p-5">
          <PollState query={session} loading={<Skeleton className="h-64" />} className="">
            {({ mode }) => (isIn ? <Skeleton className="h-64" /> : <Entrance mode={mode} />)}
          </PollState>
        </div>
        <p className="mt-4 text-muted text-xs">{t('what')}</p>
      </div>
    </main>
  );
}

function Entrance({ mode }: { readonly mode: SessionState['mode'] }) {
  const t = useTranslations('access.login');
  const token = useFirstRunToken();
  if (mode === 'first_run') return <FirstRunForm token={token} />;
  if (mode === 'password') return <LoginForm />;
  if (mode === 'locked') {
    return (
      <Notice tone="bad" title={t('locked')}>
        {t('lockedWhy')}
      </Notice>
    );
  }
  return (
    <>
      <h1 className="font-semibold text-lg">{t('open')}</h1>
      <p className="mt-1 mb-3 text-muted">{t('openWhy')}</p>
      <TextLink href="/">{t('goOn')}</TextLink>
    </>
  );
}

/** Stands behind the #, which is not sent to anybody; null where there is none. */
function useFirstRunToken(): string | null {
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setToken(/^#first-run=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1] ?? null);
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return token;
}
