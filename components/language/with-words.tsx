'use client';

import { type ReactNode, useMemo } from 'react';
import { IntlProvider, useLocale, useMessages } from 'use-intl';
import type { english } from '#components/messages/english.ts';

type Props = {
  /** The areas of the English words that are needed within, beside those that all pages load. */
  readonly english: Partial<typeof english>;
  readonly children: ReactNode;
};

/**
 * Adds the English words of a part of the console: each page loads its own, and none those of all. Readers of Hindi have
 * every word already. The tree is the same in both languages, so that changing it keeps what is typed and opened.
 */
export function WithWords({ english: words, children }: Props) {
  const locale = useLocale();
  const outer = useMessages();
  const messages = useMemo(() => (locale === 'en' ? { ...outer, ...words } : outer), [locale, outer, words]);
  return (
    <IntlProvider locale={locale} messages={messages}>
      {children}
    </IntlProvider>
  );
}
