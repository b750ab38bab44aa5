import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import type { Mark } from './marks.ts';

/** What happened in a bucket, in the reader's words, an event each. */
export function useMarkWords(): (mark: Mark) => string[] {
  const t = useTranslations('charts.marks');
  return useCallback(
    ({ events }) => events.map(({ kind, model }) => (model === null ? t(kind) : t('of', { what: t(kind), model }))),
    [t],
  );
}
