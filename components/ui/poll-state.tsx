import type { UseQueryResult } from '@tanstack/react-query';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '#components/data/client.ts';
import { useFailure } from '#components/data/failure.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Button } from './button.tsx';
import { Loading } from './loading.tsx';
import { Notice } from './notice.tsx';

type Props<T> = {
  readonly query: UseQueryResult<T, ApiError>;
  /** Shown on the first load only. */
  readonly loading: ReactNode;
  readonly children: (data: T) => ReactNode;
  readonly className?: string;
};

/**
 * Data that is polled: a placeholder at first, then the data for good; a failed refresh is told above it. That the
 * whole router is out of reach is told once, by the banner on top of the page.
 */
export function PollState<T>({ query, loading, children, className = 'p-4' }: Props<T>) {
  const t = useTranslations('ui');
  const words = useFailureWords();
  const { data } = query;
  const error = useFailure(query);
  if (data === undefined && error?.failure === 'unreachable') {
    return <p className={clsx(className, 'text-muted')}>{t('nothingYet')}</p>;
  }
  if (data === undefined && error) {
    return (
      <div className={className}>
        <Notice
          tone="bad"
          title={words(error).title}
          action={<Button onClick={() => void query.refetch()}>{t('tryAgain')}</Button>}
        >
          {words(error).detail}
        </Notice>
      </div>
    );
  }
  if (data === undefined) return <Loading>{loading}</Loading>;
  const stale = error && error.failure !== 'unreachable';
  return (
    <>
      {stale ? (
        <div className={className}>
          <Notice tone="warn" title={t('notRefreshed', { why: words(error).title })}>
            {words(error).detail}
          </Notice>
        </div>
      ) : null}
      {children(data)}
    </>
  );
}
