import { PALETTE } from '#components/charts/palette.ts';
import type { Drawn } from '#components/charts/series-panel.tsx';
import type { TokenSeries } from '#lib/contract/series.ts';
import type { Words } from './words.ts';

type Bucket = TokenSeries['buckets'][number];

/** Heights of the two drawings, together that of the panel. */
export const TOKENS_HEIGHT = 350;
const PROMPT_HEIGHT = 230;

/**
 * Tokens per second of each bucket: its tokens over its whole width, the last one too. That one is still filling and
 * therefore too low, and is drawn paler: dividing it by the seconds that have passed would let one finished request in a
 * bucket's first second tower over the whole chart.
 */
export function drawTokens(
  data: TokenSeries,
  { t, format }: Words,
): Omit<Drawn, 'empty'> & { readonly isEmpty: boolean } {
  const { buckets, bucket_seconds, last_bucket_filling, totals } = data;
  const shared = { look: 'bar', unit: t('tokensPerSecond'), format: format.compact, overlay: true } as const;
  const prompt = totals.prompt_cached_tokens + totals.prompt_computed_tokens;
  return {
    series: [
      {
        key: 'cached',
        label: t('tokens.cached'),
        color: PALETTE.cached,
        column: 'prompt_cached_tokens_per_second',
        ...shared,
      },
      {
        key: 'computed',
        label: t('tokens.computed'),
        color: PALETTE.computed,
        column: 'prompt_computed_tokens_per_second',
        ...shared,
      },
      {
        key: 'completion',
        label: t('tokens.completion'),
        color: PALETTE.completion,
        column: 'completion_tokens_per_second',
        ...shared,
      },
      {
        key: 'hits',
        label: t('tokens.hitShare'),
        color: PALETTE.muted,
        look: 'none',
        column: 'cache_hit_percent',
        format: (value) => format.percent(value),
      },
      {
        key: 'requests',
        label: t('requests'),
        color: PALETTE.muted,
        look: 'none',
        column: 'requests',
        format: format.exact,
      },
      {
        key: 'measured',
        label: t('tokens.measured'),
        color: PALETTE.muted,
        look: 'none',
        column: 'measured_requests',
        format: format.exact,
      },
    ],
    points: buckets.map((bucket, index) => ({
      time: Date.parse(bucket.time),
      filling: last_bucket_filling && index === buckets.length - 1,
      values: ratesOf(bucket, bucket_seconds),
      before: null,
    })),
    plots: [
      { keys: ['cached', 'computed'], height: PROMPT_HEIGHT, scale: { ticks: 5, format: format.compact } },
      { keys: ['completion'], height: TOKENS_HEIGHT - PROMPT_HEIGHT, scale: { ticks: 3, format: format.compact } },
    ],
    figures: [
      {
        key: 'hits',
        label: t('tokens.hitShare'),
        kind: 'share',
        value: data.cache_hit_percent,
        format: (value) => format.percent(value),
      },
      { key: 'prompt', label: t('tokens.prompt'), kind: 'amount', value: prompt, format: format.compact },
      {
        key: 'cached',
        label: t('tokens.ofThemCached'),
        kind: 'amount',
        value: totals.prompt_cached_tokens,
        format: format.compact,
      },
      {
        key: 'completion',
        label: t('tokens.completionTokens'),
        kind: 'amount',
        value: totals.completion_tokens,
        format: format.compact,
      },
      { key: 'requests', label: t('requests'), kind: 'amount', value: totals.requests, format: format.exact },
    ],
    isEmpty: totals.requests === 0,
  };
}

function ratesOf(bucket: Bucket, seconds: number): Readonly<Record<string, number | null>> {
  return {
    cached: bucket.prompt_cached_tokens / seconds,
    computed: bucket.prompt_computed_tokens / seconds,
    completion: bucket.completion_tokens / seconds,
    hits: bucket.cache_hit_percent,
    requests: bucket.requests,
    measured: bucket.measured_requests,
  };
}
