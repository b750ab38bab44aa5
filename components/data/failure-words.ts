import { useTranslations } from 'use-intl';
import type { ApiError } from './client.ts';

export type FailureWords = { readonly title: string; readonly detail: string };

/**
 * Says a failed call in the reader's language. What the router itself wrote (a problem's title and detail) stays as it
 * wrote it.
 */
export function useFailureWords(): (error: ApiError) => FailureWords {
  const t = useTranslations('ui.failure');
  return (error) => {
    switch (error.failure) {
      case 'unreachable':
        return { title: t('unreachable'), detail: t('unreachableDetail', { host: location.host }) };
      case 'malformed':
        return { title: t('malformed'), detail: t('malformedDetail', { what: error.detail }) };
      case 'unexplained':
        return { title: t('unexplained'), detail: t('unexplainedDetail', { status: String(error.status) }) };
      case 'problem':
        return { title: error.title, detail: error.detail };
    }
  };
}
