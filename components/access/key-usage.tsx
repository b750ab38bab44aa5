'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { CsvButton } from '#components/charts/csv-button.tsx';
import { fileName } from '#components/charts/file-name.ts';
import { PALETTE } from '#components/charts/palette.ts';
import { PngButton } from '#components/charts/png-button.tsx';
import { loadCode } from '#components/data/load-code.ts';
import type { Asked } from '#components/data/series-queries.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Pale } from '#components/ui/pale.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { ApiKeyState, KeyList } from '#lib/contract/access.ts';
import type { WindowName } from '#lib/contract/series.ts';
import { useKeys } from './queries.ts';
import { cachedShare, longestPrompt, USAGE_HEADER, usageByKey, usageRow } from './usage-by-key.ts';

type Props = {
  readonly window: Asked['window'];
  /** The time that an answer covers, in a sentence: "the last hour". */
  readonly over: (keys: Pick<KeyList, 'window' | 'from' | 'to'>) => string;
  readonly note?: string | null;
  readonly actions?: ReactNode;
  /** Nothing is shown until there is a key: for pages that are about something else. */
  readonly whereUsed?: boolean;
};

/** What each key used: requests, prompt tokens cached and computed, completion tokens; as bars, a table and files. */
export function KeyUsage({ window, over, note = null, actions, whereUsed = false }: Props) {
  const t = useTranslations('access.usage');
  const query = useKeys(window);
  if (whereUsed && !query.data?.keys.length) return null;
  return (
    <Card title={t('title')} note={note} actions={actions} flush>
      <PollState query={query} loading={<Skeleton className="m-4 h-32" />}>
        {(data) => {
          const used = usageByKey(data.keys);
          if (used.length === 0) return <Empty title={t('none', { window: over(data) })}>{t('noneWhy')}</Empty>;
          return (
            <Pale of={query}>
              <UsageTable keys={used} window={data.window} over={over(data)} />
            </Pale>
          );
        }}
      </PollState>
    </Card>
  );
}

type TableProps = { readonly keys: readonly ApiKeyState[]; readonly window: WindowName; readonly over: string };

function UsageTable({ keys, window, over }: TableProps) {
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
      <Table caption={t('caption', { window: over })} columns={columns} rows={keys} rowKey={({ id }) => String(id)} />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-2">
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
          <Legend className="bg-cached">{t('legendCached')}</Legend>
          <Legend className="bg-computed">{t('legendComputed')}</Legend>
        </p>
        <UsageFiles keys={keys} window={window} over={over} />
      </div>
    </>
  );
}

function UsageFiles({ keys, window, over }: TableProps) {
  const t = useTranslations('access.usage');
  const format = useFormat();
  const file = fileName('keys', window);
  const longest = Math.max(1, longestPrompt(keys));
  const draw = async () => {
    const { barsPng } = await loadCode(() => import('#components/charts/bars-png.ts'));
    const rows = keys.map(({ name, usage: { prompt_cached_tokens: cached, prompt_computed_tokens: computed } }) => ({
      label: name,
      parts: [
        { share: cached / longest, color: PALETTE.cached },
        { share: computed / longest, color: PALETTE.computed },
      ],
      text: format.compact(cached + computed),
    }));
    return barsPng(rows, {
      title: t('caption', { window: over }),
      note: t('prompt'),
      legend: [
        { key: 'cached', label: t('legendCached'), color: PALETTE.cached },
        { key: 'computed', label: t('legendComputed'), color: PALETTE.computed },
      ],
    });
  };
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      <PngButton title={t('title')} file={`${file}.png`} draw={draw} />
      <CsvButton file={`${file}.csv`} header={USAGE_HEADER} rows={() => keys.map(usageRow)} />
    </span>
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
