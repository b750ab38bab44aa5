import { ChartTable } from '#components/charts/chart-table.tsx';
import { fileName } from '#components/charts/file-name.ts';
import type { TokenSeries } from '#lib/contract/series.ts';
import { formatDateTime } from '#lib/format/time.ts';
import { formatCompact, formatExact } from '#lib/format/tokens.ts';
import { tokenBars } from './token-bars.ts';

/** The numbers of the token bars, newest first. */
export function TokenTable({ series }: { readonly series: TokenSeries }) {
  return (
    <ChartTable
      caption="Tokens per second, table"
      file={`${fileName('tokens', series.window)}.csv`}
      columns={[
        { name: 'time', header: 'Bucket starts' },
        { name: 'prompt_cached_tokens_per_second', header: 'Prompt, cached', unit: 'tokens/s' },
        { name: 'prompt_computed_tokens_per_second', header: 'Prompt, computed', unit: 'tokens/s' },
        { name: 'completion_tokens_per_second', header: 'Completion', unit: 'tokens/s' },
        { name: 'requests', header: 'Requests' },
        { name: 'measured_requests', header: 'Measured' },
      ]}
      rows={tokenBars(series)
        .toReversed()
        .map((bar) => {
          const rates = [bar.cached, bar.computed, bar.completion];
          const counts = [bar.requests, bar.measured];
          return {
            key: String(bar.time),
            text: [
              formatDateTime(bar.time),
              ...rates.map((rate) => formatCompact(rate)),
              ...counts.map((count) => formatExact(count)),
            ],
            raw: [new Date(bar.time).toISOString(), ...rates, ...counts],
          };
        })}
    />
  );
}
