'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useStatus } from '#components/data/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { formatClockSeconds } from '#lib/format/time.ts';

/** What a person should know on every page: the router out of reach, and the router's own warnings. */
export function Banners() {
  const client = useQueryClient();
  const { data, error, dataUpdatedAt } = useStatus();
  if (!error && !data?.warnings.length) return null;
  const from = dataUpdatedAt > 0 ? ` What is on screen is from ${formatClockSeconds(dataUpdatedAt)}.` : '';
  const retry = <Button onClick={() => void client.refetchQueries({ type: 'active' })}>Try again</Button>;
  return (
    <div className="mx-auto max-w-7xl space-y-2 px-4 pt-4 md:px-6">
      {error ? (
        <Notice tone="bad" title={error.title} action={retry}>
          {error.detail}
          {from}
        </Notice>
      ) : null}
      {data?.warnings.map((warning) => (
        <Notice key={warning.code} tone="warn" title={warning.message} />
      ))}
    </div>
  );
}
