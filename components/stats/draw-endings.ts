import { COLORS } from '#components/charts/palette.ts';
import type { ChartSeries } from '#components/charts/series.ts';
import type { Drawn } from '#components/charts/series-panel.tsx';
import { DECISIONS } from '#components/ui/decision.tsx';
import { decisionKind } from '#lib/contract/activity.ts';
import { type DecisionSeries, type ErrorSeries, errorKind } from '#lib/contract/series.ts';
import { PANEL_HEIGHT } from './heights.ts';
import type { Words } from './words.ts';

type Empty = { readonly isEmpty: boolean };

/** Requests by decision, stacked. */
export function drawDecisions(data: DecisionSeries, { t, format }: Words): Omit<Drawn, 'empty'> & Empty {
  const { totals } = data;
  // What never happened in the window is left out, except for the three that affinity is about.
  const kinds = decisionKind.options.filter(
    (kind) => totals[kind] > 0 || ['placed', 'sticky', 'spilled'].includes(kind),
  );
  const all = decisionKind.options.reduce((sum, kind) => sum + totals[kind], 0);
  return {
    series: kinds.map(
      (kind): ChartSeries => ({
        key: kind,
        label: DECISIONS[kind].word,
        color: COLORS[DECISION_COLORS[kind]] ?? COLORS[0],
        look: 'bar',
        overlay: true,
        column: kind,
        format: format.exact,
      }),
    ),
    points: data.buckets.map(({ time, requests }, index) => ({
      time: Date.parse(time),
      filling: data.last_bucket_filling && index === data.buckets.length - 1,
      values: requests,
      before: null,
    })),
    plots: [{ keys: kinds, height: PANEL_HEIGHT, scale: { ticks: 5, format: format.compact, whole: true } }],
    figures: [
      {
        key: 'sticky',
        label: t('decisions.sticky'),
        kind: 'share',
        value: data.sticky_percent,
        format: (value) => format.percent(value),
      },
      ...kinds.map((kind) => ({
        key: `n ${kind}`,
        label: DECISIONS[kind].word,
        kind: 'amount' as const,
        value: totals[kind],
        format: format.exact,
      })),
    ],
    isEmpty: all === 0,
  };
}

const DECISION_COLORS = {
  sticky: 0,
  placed: 2,
  spilled: 1,
  failed_over: 5,
  client_pinned: 4,
  balanced: 7,
  unrouted: 3,
} as const satisfies Record<DecisionKind, number>;
type DecisionKind = (typeof decisionKind.options)[number];

const ERROR_COLORS = { client_error: 1, engine_error: 5, upstream_failed: 3, client_left: 7 } as const;

/** Requests that ended ill, by kind, stacked. */
export function drawErrors(data: ErrorSeries, { t, format }: Words): Omit<Drawn, 'empty'> & Empty {
  const { totals } = data;
  const ill = totals.client_error + totals.engine_error + totals.upstream_failed;
  return {
    series: [
      ...errorKind.options.map(
        (kind): ChartSeries => ({
          key: kind,
          label: t(`errors.${kind}`),
          color: COLORS[ERROR_COLORS[kind]] ?? COLORS[0],
          look: 'bar',
          overlay: true,
          column: kind,
          format: format.exact,
        }),
      ),
      {
        key: 'requests',
        label: t('requests'),
        color: 'var(--muted)',
        look: 'none',
        column: 'requests',
        format: format.exact,
      },
    ],
    points: data.buckets.map(({ time, ...values }, index) => ({
      time: Date.parse(time),
      filling: data.last_bucket_filling && index === data.buckets.length - 1,
      values,
      before: null,
    })),
    plots: [
      { keys: errorKind.options, height: PANEL_HEIGHT, scale: { ticks: 5, format: format.compact, whole: true } },
    ],
    figures: [
      {
        key: 'share',
        label: t('errors.share'),
        kind: 'share',
        value: totals.requests === 0 ? null : (100 * ill) / totals.requests,
        format: (value) => format.percent(value),
      },
      ...errorKind.options.map((kind) => ({
        key: kind,
        label: t(`errors.${kind}`),
        kind: 'amount' as const,
        value: totals[kind],
        format: format.exact,
      })),
    ],
    isEmpty: ill + totals.client_left === 0,
  };
}
