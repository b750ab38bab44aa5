'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Pale } from '#components/ui/pale.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import { type ApiKeyState, type KeyWindow, keyWindow } from '#lib/contract/access.ts';
import { useKeys } from './queries.ts';
import { cachedShare, longestPrompt, usageByKey } from './usage-by-key.ts';

type Props = {
  /** Nothing is shown until there is a key: for pages that are about something else. */
  readonly whereUsed?: boolean;
};

/** What each key used: requests, prompt tokens cached and computed, completion tokens. */
export function KeyUsage({ whereUsed = false }: Props) {
  const t = useTranslations('access.usage');
  const [window, setWindow] = useState<KeyWindow>('24h');
  const query = useKeys(window);
  const shown = query.data?.window ?? window;
  if (whereUsed && !query.data?.keys.length) return null;
  const long = t(`windowsLong.${shown}`);
  return (
    <Card
      title={t('title')}
      actions={
        <Segmented
          label={t('window')}
          value={window}
          options={keyWindow.options.map((value) => ({
            value,
            label: t(`windows.${value}`),
            name: t(`windowsLong.${value}`),
          }))}
          onChange={setWindow}
        />
      }
      flush
    >
      <PollState query={query} loading={<Skeleton className="m-4 h-32" />}>
        {({ keys }) => {
          const used = usageByKey(keys);
          if (used.length === 0) return <Empty title={t('none', { window: long })}>{t('noneWhy')}</Empty>;
          return (
            <Pale of={query}>
              <UsageTable keys={used} caption={t('caption', { window: long })} />
            </Pale>
          );
        }}
      </PollState>
    </Card>
  );
}

function UsageTable({ keys, caption }: { readonly keys: readonly ApiKeyState[]; readonly caption: string }) {
  const t = useTranslations('access.usage');
  const format = useFormat();
  const longest = longestPrompt(keys);
  const columns: [Column<ApiKeyState>, ...Column<ApiKeyState>[]] = [
    { header: t('key'), cell: ({ name }) => <span className="break-words">{name}</span> },
    { header: t('requests'), align: 'end', cell: ({ usage }) => format.exact(usage.requests) },
    { header: t('prompt'), wide: true, cell: (key) => <PromptBar apiKey={key} longest={longest} /> },
    { header: t('cached'), align: 'end', cell: ({ usage }) => format.compact(usage.prompt_cached_tokens) },
    { header: t('computed'), align: 'end', cell: ({ usage }) => format.compact(usage.prompt_computed_tokens) },
    {
      header: t('share'),
      align: 'end',
      cell: ({ usage }) => {
        const share = cachedShare(usage);
        return share === null ? '–' : format.percent(share);
      },
    },
    { header: t('completion'), align: 'end', cell: ({ usage }) => format.compact(usage.completion_tokens) },
  ];
  return (
    <>
      <Table caption={caption} columns={columns} rows={keys} rowKey={({ id }) => String(id)} />
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-line border-t px-4 py-2 text-muted text-xs">
        <Legend className="bg-cached">{t('legendCached')}</Legend>
        <Legend className="bg-computed">{t('legendComputed')}</Legend>
      </p>
    </>
  );
}

type BarProps = { readonly apiKey: ApiKeyState; readonly longest: number };

/** As long as the key's prompts against those of the key with the most. */
function PromptBar({ apiKey: { usage }, longest }: BarProps) {
  const t = useTranslations('access.usage');
  const format = useFormat();
  const { prompt_cached_tokens: cached, prompt_computed_tokens: computed } = usage;
  const width = (tokens: number) => `${longest === 0 ? 0 : (100 * tokens) / longest}%`;
  const label = t('bar', { cached: format.exact(cached), computed: format.exact(computed) });
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className="flex h-3 w-full min-w-32 overflow-hidden rounded-sm bg-subtle"
    >
      <span className="bg-cached" style={{ width: width(cached) }} />
      <span className="bg-computed" style={{ width: width(computed) }} />
    </span>
  );
}

function Legend({ className, children }: { readonly className: string; readonly children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2.5 rounded-sm ${className}`} />
      {children}
    </span>
  );
}
