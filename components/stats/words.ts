import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { type Format, useFormat } from '#components/language/use-format.ts';
import type { SeriesSpan } from '#lib/contract/series.ts';

/** The words of this page and the reader's numbers, for what is drawn outside of components. */
export type Words = {
  readonly t: ReturnType<typeof useTranslations<'stats'>>;
  readonly format: Format;
  /** The time that an answer covers, in a sentence: "the last hour", or its two ends. */
  readonly over: (span: Pick<SeriesSpan, 'window' | 'from' | 'to'>) => string;
};

/** The same object as long as the language stays: what is drawn with it is drawn anew only then. */
export function useWords(): Words {
  const t = useTranslations('stats');
  const format = useFormat();
  return useMemo(() => {
    const over = ({ window, from, to }: Pick<SeriesSpan, 'window' | 'from' | 'to'>) => {
      if (window !== 'custom') return t(`windows.${window}`);
      const end = Date.parse(to);
      return t('stretch', { from: format.moment(Date.parse(from), end), to: format.dateTime(end) });
    };
    return { t, format, over };
  }, [t, format]);
}
