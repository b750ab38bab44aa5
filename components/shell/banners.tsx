'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFailure } from '#components/data/failure.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useStatus } from '#components/data/queries.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { ProcessStatus } from '#lib/contract/activity.ts';

const KNOWN = ['store', 'configuration', 'upstream', 'discovery', 'shared_memory_away'] as const;

/** What a person should know on every page: the router out of reach, and the router's own warnings. */
export function Banners() {
  const t = useTranslations();
  const format = useFormat();
  const words = useFailureWords();
  const client = useQueryClient();
  const status = useStatus();
  const { data, dataUpdatedAt } = status;
  const error = useFailure(status);
  if (!error && !data?.warnings.length) return null;
  const from = dataUpdatedAt > 0 ? t('shell.onScreenFrom', { time: format.clockSeconds(dataUpdatedAt) }) : '';
  const retry = <Button onClick={() => void client.refetchQueries({ type: 'active' })}>{t('ui.tryAgain')}</Button>;
  return (
    <div className="page-width mx-auto space-y-2 px-4 pt-4 md:px-6">
      {error ? (
        <Notice tone="bad" title={words(error).title} action={retry}>
          {words(error).detail} {from}
        </Notice>
      ) : null}
      {data?.warnings.map((warning) => (
        <Warning key={`${warning.code} ${warning.message}`} {...warning} />
      ))}
    </div>
  );
}

/** The router's sentence is in English; what it is about is said to the reader, where this page knows it. */
function Warning({ code, message }: ProcessStatus['warnings'][number]) {
  const t = useTranslations('shell.warnings');
  const known = KNOWN.find((one) => one === code);
  if (known === undefined) return <Notice tone="warn" title={message} />;
  return (
    <Notice tone="warn" title={t(known)}>
      <span lang="en">{message}</span>
    </Notice>
  );
}
