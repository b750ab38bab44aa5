import { describe, expect, it } from 'vitest';
import type { ReplicaRouting } from '#lib/contract/models.ts';
import { drainConsequences } from './drain-words.ts';

describe('drainConsequences', () => {
  it('counts the conversations that move out and the turns that finish', () => {
    const busy = replica(0, { live_sessions: 3, in_flight: 2 });
    expect(drainConsequences(busy, { affinity: true, replicas: [busy, replica(1)] })).toEqual([
      'It gets no new conversations. The 3 live sessions here move out with their next turn, which reads their history there once.',
      'The 2 turns in flight here finish.',
      'LM Warden forgets this when it restarts.',
    ]);
  });

  it('says first that the last replica that takes conversations goes on taking them', () => {
    const last = replica(0);
    const others = [replica(1, { draining: true }), replica(2, { health: 'down' })];
    expect(drainConsequences(last, { affinity: true, replicas: [last, ...others] })[0]).toContain('go on coming here');
    expect(drainConsequences(last, { affinity: true, replicas: [last, replica(3)] }).join(' ')).not.toContain('go on');
  });

  it('says that an engine that balances its own ranks is not kept from this one while affinity is off', () => {
    const rank = replica(0);
    const alone = replica(0, { rank: null });
    const off = (one: ReplicaRouting) => drainConsequences(one, { affinity: false, replicas: [one, replica(1)] });
    expect(off(rank).join(' ')).toContain("the engine's own balancer decides");
    expect(off(alone).join(' ')).not.toContain('balancer');
  });
});

function replica(number: number, other: Partial<ReplicaRouting> = {}): ReplicaRouting {
  return {
    replica: number,
    url: 'http://engine',
    rank: number,
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
