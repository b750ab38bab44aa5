'use client';

import { useMemo, useState } from 'react';
import { ChartTable } from '#components/charts/chart-table.tsx';
import { useHiddenSeries } from '#components/charts/hidden-series.ts';
import { Legend } from '#components/charts/legend.tsx';
import { PALETTE } from '#components/charts/palette.ts';
import { TableToggle } from '#components/charts/table-toggle.tsx';
import { useTokens } from '#components/data/queries.ts';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { TokenSeries } from '#lib/contract/series.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { formatDateTime } from '#lib/format/time.ts';
import { formatCompact, formatExact } from '#lib/format/tokens.ts';
import type { RangeName } from '#lib/series/range.ts';
import { TokenChart } from './charts.ts';
import { type TokenBar, tokenBars } from './token-bars.ts';
import { completionSentence, promptSentence } from './token-sentence.ts';

const ENTRIES = [
  { key: 'cached', label: 'Prompt, cached', color: PALETTE.cached },
  { key: 'computed', label: 'Prompt, computed', color: PALETTE.computed },
  { key: 'completion', label: 'Completion', color: PALETTE.completion },
];

type Props = { readonly model: string | null; readonly range: RangeName };

/** How many tokens went through, how much of the prompts the engines had cached, and how much of that was measured. */
export function TokensPanel({ model, range }: Props) {
  const query = useTokens(model, range);
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      title="Tokens per second"
      note={query.data ? <HitShare series={query.data} /> : null}
      actions={<TableToggle shown={asTable} onChange={setAsTable} what="tokens per second" />}
      flush
    >
      <PollState query={query} loading={<Skeleton className="m-4 h-96" />}>
        {(series) => (
          <div className={query.isPlaceholderData ? 'opacity-50' : undefined}>
            <Figure series={series} asTable={asTable} />
          </div>
        )}
      </PollState>
    </Card>
  );
}

function HitShare({ series }: { readonly series: TokenSeries }) {
  const share = series.cache_hit_percent_1h;
  return (
    <span className="whitespace-nowrap">
      cache hit{' '}
      <strong className="font-semibold text-ink text-lg tabular-nums">
        {share === null ? 'not reported' : formatPercent(share, 0)}
      </strong>{' '}
      — last hour
    </span>
  );
}

function Figure({ series, asTable }: { readonly series: TokenSeries; readonly asTable: boolean }) {
  const { hidden, toggle } = useHiddenSeries();
  const bars = useMemo(() => tokenBars(series), [series]);
  const sentences = useMemo(
    () => ({ prompt: promptSentence(bars, series), completion: completionSentence(bars, series.window) }),
    [bars, series],
  );
  return (
    <>
      <div className="px-4 pt-3">
        <Legend entries={ENTRIES} hidden={hidden} onToggle={toggle} />
        <div className="mt-1 h-88">
          <TokenChart
            bars={bars}
            range={series.window}
            bucketSeconds={series.bucket_seconds}
            hidden={hidden}
            sentences={sentences}
          />
        </div>
        <Footnote series={series} />
      </div>
      {asTable ? <Numbers bars={bars} range={series.window} /> : null}
    </>
  );
}

function Footnote({ series }: { readonly series: TokenSeries }) {
  const measured =
    series.measured_percent === null
      ? 'No request of this window was measured.'
      : `${formatPercent(series.measured_percent, 0)} of the requests of this window were measured.`;
  return (
    <p className="max-w-prose py-3 text-muted text-xs">
      Cached is the engine's own count for each finished request; an unmeasured request counts as computed. {measured}{' '}
      The last bar is paler: its bucket is still filling.
    </p>
  );
}

function Numbers({ bars, range }: { readonly bars: readonly TokenBar[]; readonly range: RangeName }) {
  return (
    <ChartTable
      caption="Tokens per second"
      file={`warden-tokens-${range}.csv`}
      columns={[
        { name: 'time', header: 'Bucket starts' },
        { name: 'prompt_cached_tokens_per_second', header: 'Prompt, cached', unit: 'tokens/s' },
        { name: 'prompt_computed_tokens_per_second', header: 'Prompt, computed', unit: 'tokens/s' },
        { name: 'completion_tokens_per_second', header: 'Completion', unit: 'tokens/s' },
        { name: 'requests', header: 'Requests' },
        { name: 'measured_requests', header: 'Measured' },
      ]}
      rows={bars.toReversed().map((bar) => {
        const counts = [bar.requests, bar.measured];
        const rates = [bar.cached, bar.computed, bar.completion];
        return {
          key: String(bar.time),
          text: [formatDateTime(bar.time), ...rates.map(formatCompact), ...counts.map(formatExact)],
          raw: [new Date(bar.time).toISOString(), ...rates, ...counts],
        };
      })}
    />
  );
}
