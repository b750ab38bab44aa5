import type { Figures, OwnFigures, ReadFigures, SummableFigures } from '#lib/contract/fleet.ts';
import { addedUp, latencyQuantile } from '#lib/series/latency-histogram.ts';

/** What several wardens took, as if one had: counts are added, shares and quantiles made anew from what they are of. */
export function sumFigures(all: readonly OwnFigures[]): ReadFigures {
  const byModel = new Map<string, SummableFigures[]>();
  for (const { models } of all) {
    for (const { model, ...figures } of models) byModel.set(model, [...(byModel.get(model) ?? []), figures]);
  }
  return {
    alerts_firing: all.reduce((sum, { alerts_firing }) => sum + alerts_firing, 0),
    all: together(all.map((one) => one.all)),
    models: [...byModel].map(([model, figures]) => ({ model, ...together(figures) })),
  };
}

function together(all: readonly SummableFigures[]): Figures {
  const sum = (of: (figures: SummableFigures) => number) => all.reduce((total, one) => total + of(one), 0);
  const decisions = (of: keyof Figures['decisions']) => sum((one) => one.decisions[of]);
  const cached = sum((one) => one.prompt_cached_tokens);
  const measured = sum((one) => one.measured_prompt_tokens);
  const counts = addedUp(all.flatMap((one) => one.ttfb_histogram));
  const quantile = (q: number) => {
    const ms = latencyQuantile(counts, q);
    return ms === null ? null : ms / 1000;
  };
  return {
    requests: sum((one) => one.requests),
    failed: sum((one) => one.failed),
    decisions: {
      placed: decisions('placed'),
      sticky: decisions('sticky'),
      spilled: decisions('spilled'),
      failed_over: decisions('failed_over'),
      client_pinned: decisions('client_pinned'),
      balanced: decisions('balanced'),
      unrouted: decisions('unrouted'),
    },
    prompt_cached_tokens: cached,
    prompt_computed_tokens: sum((one) => one.prompt_computed_tokens),
    completion_tokens: sum((one) => one.completion_tokens),
    measured_prompt_tokens: measured,
    cache_hit_percent: measured === 0 ? null : 100 * (cached / measured),
    ttfb_seconds: { count: sum((one) => one.ttfb_seconds.count), p50: quantile(0.5), p95: quantile(0.95) },
  };
}
