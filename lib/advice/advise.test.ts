import { describe, expect, it } from 'vitest';
import { advise } from './advise.ts';
import type { AdviceFacts, AdviceReplica, AdviceRequest } from './facts.ts';

const codes = (given: Partial<AdviceFacts>) => advise(facts(given)).map(({ code }) => code);

describe('advice', () => {
  it('is silent about a model that does well', () => {
    expect(advise(facts({}))).toEqual([]);
  });

  it('is silent about what few requests seem to say', () => {
    const cold = { cachedTokens: 0 };
    expect(codes({ requests: turns(29, cold) })).toEqual([]);
    expect(codes({ requests: turns(30, cold) })).toEqual(['prefix_spoiled']);
  });

  it('tells cold turns at home with room in the cache from cold turns in a full one', () => {
    const requests = turns(100, { cachedTokens: 100, client: 'opencode' });
    expect(advise(facts({ requests }))).toEqual([
      {
        code: 'prefix_spoiled',
        severity: 'warn',
        hit_percent: 10,
        sticky_percent: 100,
        cache_used_percent: 25,
        client: 'opencode',
      },
    ]);
    expect(advise(facts({ requests, aliveTokens: 90_000, conversations: 12, fitting: 5 }))).toEqual([
      {
        code: 'too_many_conversations',
        severity: 'warn',
        hit_percent: 10,
        cache_used_percent: 112.5,
        conversations: 12,
        fitting: 5,
        cache_fit: false,
      },
    ]);
  });

  it('goes by the engine’s gauge where nobody knows how much fits', () => {
    const replicas = [replica(0, { capacityTokens: null, kvUsage: 0.9 }), replica(1, { kvUsage: 0.9 })];
    const said = codes({ requests: turns(100, { cachedTokens: 100 }), replicas });
    expect(said).toEqual(['too_many_conversations', 'capacity_unknown']);
  });

  it('blames keys that change, and not the cache, where every turn begins a conversation', () => {
    const placed = turns(80, { decision: 'placed', cachedTokens: 0, client: 'my-agent', source: 'x-session-id' });
    expect(advise(facts({ requests: [...placed, ...turns(20, { cachedTokens: 0 })] }))).toMatchObject([
      { code: 'keys_change', placed: 80, requests: 100, client: 'my-agent', source: 'x-session-id' },
    ]);
  });

  it('counts a benchmark’s short conversations as conversations', () => {
    expect(codes({ requests: [...turns(20, { decision: 'placed' }), ...turns(80)] })).toEqual([]);
  });
});

describe('advice on the spill threshold', () => {
  it('lowers it where requests wait on one replica and another is idle', () => {
    const replicas = [replica(0, { running: 6, waiting: 2.5 }), replica(1, { running: 1 })];
    expect(advise(facts({ replicas, spillThreshold: 16 }))).toMatchObject([
      { code: 'replica_pegged', replica: 0, waiting: 2.5, idle_replica: 1, spill_threshold: 16, suggested: 6 },
    ]);
    expect(codes({ replicas: [replica(0, { running: 6, waiting: 2.5 }), replica(1, { running: 5 })] })).toEqual([]);
  });

  it('raises it where many turns spill and nothing waits, up to what the engine runs', () => {
    const requests = [...turns(80), ...turns(20, { decision: 'spilled' })];
    expect(advise(facts({ requests }))).toMatchObject([
      {
        code: 'spills_often',
        spilled: 20,
        turns: 100,
        calm_replicas: 2,
        replicas: 2,
        spill_threshold: 8,
        suggested: 16,
      },
    ]);
    expect(advise(facts({ requests, maxNumSeqs: 12 }))).toMatchObject([{ suggested: 12 }]);
    expect(codes({ requests, maxNumSeqs: 8 })).toEqual([]);
  });

  it('says on how many replicas nothing waits, and not that nothing waits anywhere', () => {
    const requests = [...turns(80), ...turns(20, { decision: 'spilled' })];
    const replicas = [replica(0, { running: 4, waiting: 3 }), replica(1, { running: 4 })];
    expect(advise(facts({ requests, replicas }))).toMatchObject([
      { code: 'spills_often', calm_replicas: 1, replicas: 2 },
    ]);
  });

  it('says that no threshold helps where requests wait everywhere, and whether cache-fit is on already', () => {
    const requests = [...turns(80), ...turns(20, { decision: 'spilled' })];
    const replicas = [2, 4].map((waiting, index) => replica(index, { running: 8, waiting }));
    const said = { code: 'overloaded', severity: 'warn', spilled_percent: expect.closeTo(20), waiting: 3, replicas: 2 };
    expect(advise(facts({ requests, replicas }))).toEqual([{ ...said, cache_fit: false }]);
    expect(advise(facts({ requests, replicas, cacheFit: true }))).toEqual([{ ...said, cache_fit: true }]);
  });

  it('is silent about spills where engines do not tell how many requests wait', () => {
    const requests = [...turns(80), ...turns(20, { decision: 'spilled' })];
    const silent = replica(1, { waiting: null });
    expect(codes({ requests, replicas: [replica(0, { waiting: null }), silent] })).toEqual([]);
    expect(codes({ requests, replicas: [replica(0, { running: 8, waiting: 3 }), silent] })).toEqual([]);
    expect(codes({ requests, replicas: [replica(0), silent] })).toEqual(['spills_often']);
    expect(codes({ requests, replicas: [replica(0, { up: false }), replica(1, { up: false })] })).toEqual([]);
  });
});

describe('advice on clients and engines', () => {
  it('names the client whose requests have no session key', () => {
    const without = turns(30, { hasKey: false, decision: 'balanced', client: 'curl' });
    expect(advise(facts({ requests: [...turns(70), ...without] }))).toMatchObject([
      { code: 'no_session_key', without: 30, requests: 100, without_percent: 30, client: 'curl', client_requests: 30 },
    ]);
  });

  it('says that prefix caching is off, and explains no hits then', () => {
    const replicas = [replica(0, { prefixCaching: false }), replica(1)];
    expect(codes({ replicas, requests: turns(100, { cachedTokens: 0 }) })).toEqual(['prefix_caching_off']);
  });

  it('misses what the engine does not tell, from the first few requests on', () => {
    expect(codes({ requests: turns(5, { cachedTokens: null }) })).toEqual(['cached_not_reported']);
    expect(codes({ requests: turns(4, { cachedTokens: null }) })).toEqual([]);
  });

  it('compares versions and capacities of the replicas that are up', () => {
    const replicas = [replica(0), replica(1, { version: '0.27.0', capacityTokens: 20_000 })];
    expect(advise(facts({ replicas }))).toMatchObject([
      { code: 'versions_differ', versions: ['0.27.0', '0.28.0'] },
      { code: 'capacities_differ', least_tokens: 20_000, most_tokens: 40_000 },
    ]);
    expect(codes({ replicas: [replica(0), replica(1, { up: false, version: '0.27.0' })] })).toEqual([]);
  });

  it('says that affinity is off, with two replicas or more, and how many turns with a key went unrouted', () => {
    const requests = [
      ...turns(10, { decision: 'unrouted' }),
      ...turns(5, { decision: 'unrouted', hasKey: false }),
      ...turns(60),
    ];
    expect(advise(facts({ affinity: false, requests }))).toEqual([
      { code: 'affinity_off', severity: 'info', turns: 10 },
    ]);
    expect(codes({ affinity: false, replicas: [replica(0)] })).toEqual([]);
  });
});

function facts(given: Partial<AdviceFacts>): AdviceFacts {
  return {
    affinity: true,
    cacheFit: false,
    spillThreshold: 8,
    maxNumSeqs: 32,
    requests: turns(100),
    replicas: [replica(0), replica(1)],
    conversations: 4,
    aliveTokens: 20_000,
    fitting: 8,
    ...given,
  };
}

function turns(amount: number, given: Partial<AdviceRequest> = {}): AdviceRequest[] {
  const one = {
    decision: 'sticky',
    client: 'claude-code',
    hasKey: true,
    source: 'x-claude-code-session-id',
    promptTokens: 1000,
    cachedTokens: 900,
  };
  return Array.from({ length: amount }, () => ({ ...one, ...given }));
}

function replica(index: number, given: Partial<AdviceReplica> = {}): AdviceReplica {
  return {
    replica: index,
    up: true,
    running: 2,
    waiting: 0,
    kvUsage: 0.2,
    capacityTokens: 40_000,
    prefixCaching: true,
    version: '0.28.0',
    ...given,
  };
}
