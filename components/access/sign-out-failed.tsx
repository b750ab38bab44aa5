import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import type { useSignOut } from '#components/data/session.ts';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';

/** One is still signed in: over the page, since the menu that it was asked in has closed. */
export function SignOutFailed({ signOut }: { readonly signOut: ReturnType<typeof useSignOut> }) {
  const t = useTranslations('ui');
  const words = useFailureWords();
  if (signOut.error === null) return null;
  const { title, detail } = words(signOut.error);
  return (
    <Notice
      tone="bad"
      title={title}
      className="fixed inset-x-4 top-15 z-50 ml-auto max-w-md"
      action={
        <span className="flex gap-2">
          <Button onClick={() => signOut.mutate()}>{t('tryAgain')}</Button>
          <Button look="quiet" onClick={() => signOut.reset()}>
            {t('close')}
          </Button>
        </span>
      }
    >
      {detail}
    </Notice>
  );
}
