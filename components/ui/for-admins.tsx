import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useMayChange } from '#components/data/session.ts';

/** Controls that change something: a viewer sees them disabled, with the reason. The server has the last word. */
export function ForAdmins({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('access');
  if (useMayChange()) return children;
  return (
    <fieldset
      disabled
      title={t('viewerOnly')}
      className="min-w-0 cursor-not-allowed [&_:disabled]:pointer-events-none [&_:disabled]:opacity-60"
    >
      <legend className="sr-only">{t('viewerOnly')}</legend>
      {children}
    </fieldset>
  );
}
