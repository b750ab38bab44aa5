import { expect, it } from 'vitest';
import type { Health, ModelSummary } from '#lib/contract/models.ts';
import { byTrouble } from './order.ts';

it('puts models that are down first, then degraded ones, then the rest by name', () => {
  const models = [model('b', 'up'), model('a', 'up'), model('z', 'degraded'), model('y', 'down')];
  expect(byTrouble(models).map(({ name }) => name)).toEqual(['y', 'z', 'a', 'b']);
});

it('puts a model whose conversations do not fit its cache before others that are up', () => {
  const crowded = { live_sessions: 9, typical_context_tokens: 20_000, kv_capacity_tokens: 150_000 };
  const models = [model('a', 'up'), model('z', 'up', crowded), model('y', 'degraded')];
  expect(byTrouble(models).map(({ name }) => name)).toEqual(['y', 'z', 'a']);
});

function model(name: string, health: Health, given: Partial<ModelSummary> = {}): ModelSummary {
  return {
    name,
    health,
    served_model_name: name,
    aliases: [],
    simulated: false,
    replica_count: 0,
    affinity: true,
    cache_fit: false,
    spill_threshold: 8,
    spill_threshold_source: 'auto',
    live_sessions: 0,
    in_flight: 0,
    cache_hit_percent_1h: null,
    sticky_percent: null,
    origin: 'file',
    cache_hit_percent_series: [],
    requests_1h: 0,
    ttfb_p50_seconds_15m: null,
    ttfb_p95_seconds_15m: null,
    prompt_tokens_per_second_5m: 0,
    completion_tokens_per_second_5m: 0,
    typical_context_tokens: null,
    kv_capacity_tokens: null,
    fit: {
      live_conversations: 0,
      typical_context_tokens: null,
      shared_tokens: 0,
      total_cache_tokens: null,
      fitting_conversations: null,
      fits: null,
    },
    replicas_up: 0,
    replicas: [],
    ...given,
  };
}
