'use client';

import { useTranslations } from 'use-intl';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';

type Props = { readonly error: Error; readonly reset: () => void };

/** A fault of this page itself. The router is a different matter: it goes on serving. */
export default function PageError({ error, reset }: Props) {
  const t = useTranslations();
  return (
    <Notice tone="bad" title={t('shell.pageBroke')} action={<Button onClick={reset}>{t('ui.tryAgain')}</Button>}>
      {error.message} {t('shell.routerNotAffected')}
    </Notice>
  );
}
