import { PALETTE } from '#components/charts/palette.ts';
import type { ChartSeries } from '#components/charts/series.ts';
import type { Drawn } from '#components/charts/series-panel.tsx';
import type { LatencySeries } from '#lib/contract/series.ts';
import { PANEL_HEIGHT } from './heights.ts';
import type { Words } from './words.ts';

/** Which of the two times: to the first byte, or of the whole request. */
export type LatencyKind = 'ttfb_seconds' | 'duration_seconds';

/** Quantiles of one of the times; a bucket in which nothing finished is a gap. */
export function drawLatency(
  data: LatencySeries,
  kind: LatencyKind,
  { t, format }: Words,
): Omit<Drawn, 'empty'> & { readonly isEmpty: boolean } {
  const shared = { look: 'line', format: format.seconds, overlay: true } as const;
  const series: ChartSeries[] = [
    {
      key: 'p50',
      label: t('latency.p50'),
      color: PALETTE.accent,
      line: '',
      marker: 'circle',
      column: 'p50_seconds',
      ...shared,
    },
    {
      key: 'p95',
      label: t('latency.p95'),
      color: 'var(--series-1)',
      line: '6 3',
      marker: 'square',
      column: 'p95_seconds',
      ...shared,
    },
    {
      key: 'p99',
      label: t('latency.p99'),
      color: 'var(--series-3)',
      line: '2 2',
      marker: 'triangle',
      column: 'p99_seconds',
      ...shared,
    },
    {
      key: 'count',
      label: t('requests'),
      color: PALETTE.muted,
      look: 'none',
      column: 'requests',
      format: format.exact,
    },
  ];
  const whole = data.totals[kind];
  return {
    series,
    points: data.buckets.map((bucket, index) => {
      const { p50, p95, p99, count } = bucket[kind];
      return {
        time: Date.parse(bucket.time),
        filling: data.last_bucket_filling && index === data.buckets.length - 1,
        values: { p50, p95, p99, count },
        before: null,
      };
    }),
    plots: [{ keys: ['p50', 'p95', 'p99'], height: PANEL_HEIGHT, scale: { ticks: 5, format: format.secondsTick } }],
    figures: [
      { key: 'p50', label: t('latency.p50'), kind: 'amount', value: whole.p50, format: format.seconds },
      { key: 'p95', label: t('latency.p95'), kind: 'amount', value: whole.p95, format: format.seconds },
      { key: 'p99', label: t('latency.p99'), kind: 'amount', value: whole.p99, format: format.seconds },
      { key: 'mean', label: t('latency.mean'), kind: 'amount', value: whole.mean, format: format.seconds },
      { key: 'count', label: t('requests'), kind: 'amount', value: whole.count, format: format.exact },
    ],
    isEmpty: whole.count === 0,
  };
}
