'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

/**
 * Stands for data that is not there yet; `children` hold its place. What stands below it on the page is hidden by
 * globals.css and comes with the data, instead of being pushed by it.
 */
export function Loading({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('ui');
  return (
    <div role="status" aria-label={t('loading')} className="page-loading flow-root">
      {children}
    </div>
  );
}
