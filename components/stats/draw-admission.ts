import { COLORS } from '#components/charts/palette.ts';
import type { Drawn } from '#components/charts/series-panel.tsx';
import type { AdmissionSeries } from '#lib/contract/series.ts';
import { ADMISSION_HEIGHT } from './heights.ts';
import type { Words } from './words.ts';

const SECONDS_HEIGHT = 180;

/** How long turns were held for room in a cache, and below how many were held and displaced. */
export function drawAdmission(
  data: AdmissionSeries,
  { t, format }: Words,
): Omit<Drawn, 'empty'> & { readonly isEmpty: boolean } {
  const { totals } = data;
  const line = { look: 'line', overlay: true, format: format.seconds } as const;
  const bar = { look: 'bar', overlay: true, format: format.exact } as const;
  return {
    series: [
      {
        key: 'mean',
        label: t('admission.mean'),
        color: COLORS[0],
        line: '',
        marker: 'circle',
        column: 'held_mean_seconds',
        ...line,
      },
      {
        key: 'max',
        label: t('admission.max'),
        color: COLORS[1],
        line: '6 3',
        marker: 'square',
        column: 'held_max_seconds',
        ...line,
      },
      { key: 'held', label: t('admission.held'), color: COLORS[7], column: 'held', ...bar },
      {
        key: 'displaced',
        label: t('admission.displaced'),
        color: COLORS[3],
        line: '2 2',
        marker: 'diamond',
        column: 'displaced',
        look: 'line',
        overlay: true,
        format: format.exact,
      },
    ],
    points: data.buckets.map((bucket, index) => ({
      time: Date.parse(bucket.time),
      filling: data.last_bucket_filling && index === data.buckets.length - 1,
      values: {
        mean: bucket.held_seconds.mean,
        max: bucket.held_seconds.max,
        held: bucket.held,
        displaced: bucket.displaced,
      },
      before: null,
    })),
    plots: [
      { keys: ['mean', 'max'], height: SECONDS_HEIGHT, scale: { ticks: 4, format: format.secondsTick } },
      {
        keys: ['held', 'displaced'],
        height: ADMISSION_HEIGHT - SECONDS_HEIGHT,
        scale: { ticks: 3, format: format.compact, whole: true },
      },
    ],
    figures: [
      { key: 'held', label: t('admission.held'), kind: 'amount', value: totals.held, format: format.exact },
      {
        key: 'mean',
        label: t('admission.mean'),
        kind: 'amount',
        value: totals.held_seconds.mean,
        format: format.seconds,
      },
      { key: 'max', label: t('admission.max'), kind: 'amount', value: totals.held_seconds.max, format: format.seconds },
      {
        key: 'displaced',
        label: t('admission.displaced'),
        kind: 'amount',
        value: totals.displaced,
        format: format.exact,
      },
    ],
    isEmpty: totals.held + totals.displaced === 0,
  };
}
