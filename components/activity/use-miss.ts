import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { sessions } from '#components/messages/en/sessions.ts';
import type { Coded } from '#lib/contract/activity.ts';

/**
 * Says why a turn missed the cache in the reader's language; a code that this page does not know, in English. The same
 * function as long as the language stays: long tables are drawn anew only with another one.
 */
export function useMiss(): (sentence: string | null, coded: Coded | null) => string | null {
  const t = useTranslations('sessions.miss');
  const format = useFormat();
  return useCallback(
    (sentence, coded) => {
      if (coded === null || !isKnown(coded.code)) return sentence;
      const { code, values } = coded;
      const text = (name: string): string => String(values[name] ?? '');
      return t(code, {
        replica: text('replica'),
        before: text('before'),
        after: text('after'),
        message: text('message'),
        decision: text('decision'),
        need: format.compact(Number(values.need_tokens ?? 0)),
        cache: format.compact(Number(values.cache_tokens ?? 0)),
        gap: format.seconds(Number(values.gap_seconds ?? 0)),
      });
    },
    [t, format],
  );
}

function isKnown(code: string): code is keyof typeof sessions.miss {
  return Object.hasOwn(sessions.miss, code);
}
