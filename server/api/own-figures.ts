import type { OwnFigures, SummableFigures } from '#lib/contract/fleet.ts';
import { type Span, spanOf } from '#lib/series/span.ts';
import { keptBriefly } from '#server/figures/kept-briefly.ts';
import type { ApiContext } from './context.ts';
import { decisionAnswer, errorAnswer } from './ending-series.ts';

type Sources = Pick<ApiContext, 'store' | 'registry' | 'alerts' | 'wardens' | 'now'> & {
  readonly steadyNow: () => number;
};

/** Many may ask at once, each warden of the fleet among them. */
const KEPT_MS = 2_000;

/** What this warden took in the last 15 minutes: the store's sums that Stats shows for the same time. */
export function createOwnFigures(sources: Sources): () => Promise<OwnFigures> {
  return keptBriefly(KEPT_MS, sources.steadyNow, () => readFigures(sources));
}

async function readFigures({ store, registry, alerts, wardens, now }: Sources): Promise<OwnFigures> {
  const at = now();
  const span = spanOf('15m', at);
  const names = registry.models().map(({ name }) => name);
  const [all, ...models] = await Promise.all([
    figuresOf(store, null, span, at),
    ...names.map((name) => figuresOf(store, name, span, at)),
  ]);
  return {
    warden: wardens?.id ?? '',
    from: new Date(span.from * 1000).toISOString(),
    to: new Date(span.to * 1000).toISOString(),
    alerts_firing: alerts.list().alerts.length,
    all,
    models: models.map((figures, index) => ({ model: names[index] ?? '', ...figures })),
  };
}

async function figuresOf(
  store: ApiContext['store'],
  model: string | null,
  span: Span,
  at: number,
): Promise<SummableFigures> {
  const [tokens, endings, { ttfb, ttfbCounts }] = await Promise.all([
    store.tokenSeries(model, span, at),
    store.endingSeries(model, span, at),
    store.latencyWhole(model, span, at),
  ]);
  const sum = (of: (bucket: (typeof tokens)[number]) => number) => tokens.reduce((total, one) => total + of(one), 0);
  const errors = errorAnswer(endings).totals;
  const cached = sum((bucket) => bucket.cached);
  const measuredPrompt = sum((bucket) => bucket.measuredPrompt);
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
  return {
    requests: sum((bucket) => bucket.requests),
    failed: errors.client_error + errors.engine_error + errors.upstream_failed,
    decisions: decisionAnswer(endings).totals,
    prompt_cached_tokens: cached,
    prompt_computed_tokens: sum((bucket) => bucket.computed),
    completion_tokens: sum((bucket) => bucket.completion),
    measured_prompt_tokens: measuredPrompt,
    cache_hit_percent: measuredPrompt === 0 ? null : 100 * (cached / measuredPrompt),
    ttfb_seconds: { count: ttfb.count, p50: seconds(ttfb.p50), p95: seconds(ttfb.p95) },
    ttfb_histogram: [...ttfbCounts],
  };
}
