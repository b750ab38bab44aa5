'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

/**
 * Stands for data that is not there yet; `children` hold its place. It is as tall as the window, so that what stands
 * below comes into view with the data instead of being pushed by it.
 */
export function Loading({ children }: { readonly children: ReactNode }) {
  const t = useTranslations('ui');
  return (
    <div role="status" aria-label={t('loading')} className="min-h-dvh">
      {children}
    </div>
  );
}
