import type { ReplicaRouting } from '#lib/contract/models.ts';

export function replicaRouting(replica: number, other: Partial<ReplicaRouting> = {}): ReplicaRouting {
  return {
    replica,
    url: 'http://engine',
    rank: replica,
    health: 'up',
    draining: false,
    in_flight: 0,
    live_sessions: 0,
    placed: 0,
    sticky: 0,
    spilled_in: 0,
    failed_over_in: 0,
    client_pinned: 0,
    requests_running: null,
    requests_waiting: null,
    kv_cache_usage_percent: null,
    kv_capacity_tokens: null,
    prefix_cache_hit_percent: null,
    prefix_cache_hit_percent_5m: null,
    ...other,
  };
}
