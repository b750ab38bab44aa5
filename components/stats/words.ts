import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { type Format, useFormat } from '#components/language/use-format.ts';

/** The words of this page and the reader's numbers, for what is drawn outside of components. */
export type Words = { readonly t: ReturnType<typeof useTranslations<'stats'>>; readonly format: Format };

/** The same object as long as the language stays: what is drawn with it is drawn anew only then. */
export function useWords(): Words {
  const t = useTranslations('stats');
  const format = useFormat();
  return useMemo(() => ({ t, format }), [t, format]);
}
