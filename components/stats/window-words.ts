import { useTranslations } from 'use-intl';
import type { Asked } from '#components/data/series-queries.ts';
import { useFormat } from '#components/language/use-format.ts';

/** The window in a sentence: "the last hour", or its two ends. */
export function useWindowWords(window: Asked['window']): string {
  const t = useTranslations('stats');
  const format = useFormat();
  if (typeof window === 'string') return t(`windows.${window}`);
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
  return t('stretch', { from: format.moment(from, to), to: format.dateTime(to) });
}
