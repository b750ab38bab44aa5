'use client';

import { useMemo, useRef } from 'react';
import { ChartCard } from '#components/charts/chart-card.tsx';
import { fileName } from '#components/charts/file-name.ts';
import { useHiddenSeries } from '#components/charts/hidden-series.ts';
import { Legend } from '#components/charts/legend.tsx';
import { MarkList } from '#components/charts/mark-list.tsx';
import { PALETTE } from '#components/charts/palette.ts';
import { PngButton } from '#components/charts/png-button.tsx';
import { useTokens } from '#components/data/queries.ts';
import { Empty } from '#components/ui/empty.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { EventList } from '#lib/contract/activity.ts';
import type { TokenSeries } from '#lib/contract/series.ts';
import { formatPercent } from '#lib/format/percent.ts';
import type { RangeName } from '#lib/series/range.ts';
import { TokenChart } from './charts.ts';
import { useMarks } from './marks.ts';
import { pictureNote, RANGE_WORDS } from './range-words.ts';
import { tokenBars } from './token-bars.ts';
import { completionSentence, promptSentence } from './token-sentence.ts';
import { TokenTable } from './token-table.tsx';

const TITLE = 'Tokens per second';
const ENTRIES = [
  { key: 'cached', label: 'Prompt, cached', color: PALETTE.cached },
  { key: 'computed', label: 'Prompt, computed', color: PALETTE.computed },
  { key: 'completion', label: 'Completion', color: PALETTE.completion },
];

type Props = { readonly model: string | null; readonly range: RangeName; readonly events: EventList['events'] };

/** How many tokens went through, how much of the prompts the engines had cached, and how much of that was measured. */
export function TokensPanel({ model, range, events }: Props) {
  const query = useTokens(model, range);
  return (
    <ChartCard
      title={TITLE}
      note={query.data ? <HitShare share={query.data.cache_hit_percent_1h} /> : null}
      query={query}
      loadingClass="h-[410px]"
      chart={(series) => <Figure model={model} series={series} events={events} />}
      table={(series) => <TokenTable series={series} />}
    />
  );
}

function HitShare({ share }: { readonly share: number | null }) {
  return (
    <span className="whitespace-nowrap">
      cache hit{' '}
      {share === null ? (
        'not reported'
      ) : (
        <strong className="font-semibold text-ink text-lg tabular-nums">{formatPercent(share, 0)}</strong>
      )}{' '}
      — last hour
    </span>
  );
}

type FigureProps = Pick<Props, 'model' | 'events'> & { readonly series: TokenSeries };

function Figure({ model, series, events }: FigureProps) {
  const { hidden, toggle } = useHiddenSeries();
  const chart = useRef<HTMLDivElement>(null);
  const bars = useMemo(() => tokenBars(series), [series]);
  const marks = useMarks(events, series);
  const sentences = useMemo(
    () => ({ prompt: promptSentence(bars, series), completion: completionSentence(bars, series.window) }),
    [bars, series],
  );
  if (bars.every((bar) => bar.requests === 0)) {
    return (
      <Empty title={`No request finished in ${RANGE_WORDS[series.window]}`}>
        Tokens are counted when a request finishes. <TextLink href="/connect">Connect a client</TextLink>
      </Empty>
    );
  }
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <Legend entries={ENTRIES} hidden={hidden} onToggle={toggle} />
        <PngButton
          figure={chart}
          file={`${fileName('tokens', series.window)}.png`}
          title={TITLE}
          note={pictureNote(series, model)}
          legend={ENTRIES.filter(({ key }) => !hidden.has(key))}
        />
      </div>
      <div ref={chart} className="mt-1 min-h-[350px]">
        <TokenChart
          bars={bars}
          marks={marks}
          range={series.window}
          bucketSeconds={series.bucket_seconds}
          hidden={hidden}
          sentences={sentences}
        />
      </div>
      <MarkList marks={marks} />
      <Footnote measured={series.measured_percent} />
    </>
  );
}

function Footnote({ measured }: { readonly measured: number | null }) {
  const share =
    measured === null
      ? 'No request of this window was measured.'
      : measured === 0
        ? 'None of the requests of this window were measured: start vLLM with --enable-prompt-tokens-details.'
        : `${formatPercent(measured, 0)} of the requests of this window were measured.`;
  return (
    <p className="mt-2 max-w-4xl text-muted text-xs">
      Cached is the engine's own count for each finished request; an unmeasured request counts as computed. {share} The
      last bar is paler: its bucket is still filling.
    </p>
  );
}
