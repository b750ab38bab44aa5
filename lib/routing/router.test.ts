import { describe, expect, it } from 'vitest';
import { createRouter, type Router } from './router.ts';
import { AFFINITY, fleet, idleFleet, NO_AFFINITY, side, turn } from './test-requests.ts';
import type { FleetView, Lease, RoutedRequest, RoutingPolicy } from './types.ts';

function acquire(
  router: Router,
  request: RoutedRequest,
  view: FleetView,
  options: { policy?: RoutingPolicy; now?: number } = {},
): Lease {
  const lease = router.acquire(request, view, options.policy ?? AFFINITY, options.now ?? 0);
  if (lease === null) throw new Error('no replica was up');
  return lease;
}

/** Takes `count` places on `replica`, by the client's own choice. */
function occupy(router: Router, replica: number, count: number): Lease[] {
  const view = idleFleet(4);
  return Array.from({ length: count }, () => acquire(router, turn(null, { pin: replica }), view));
}

describe('placing a conversation', () => {
  it('spreads a burst of new conversations over idle replicas, one on each', () => {
    const router = createRouter({ replicaCount: 4 });
    const replicas = ['a', 'b', 'c', 'd'].map((key) => acquire(router, turn(key), idleFleet(4)).decision.replica);
    expect(new Set(replicas).size).toBe(4);
  });

  it('weighs a full KV cache like eight requests in flight', () => {
    const router = createRouter({ replicaCount: 2 });
    const policy = { affinity: true, spillThreshold: 100 };
    occupy(router, 1, 7);
    expect(acquire(router, turn('a'), fleet({ kvUsage: 1 }, {}), { policy }).decision).toMatchObject({
      kind: 'placed',
      replica: 1,
    });
    occupy(router, 1, 3);
    expect(acquire(router, turn('b'), fleet({ kvUsage: 1 }, {}), { policy }).decision.replica).toBe(0);
  });

  it('counts the conversations that live on a replica although none of them runs', () => {
    const router = createRouter({ replicaCount: 2 });
    const policy = { affinity: true, spillThreshold: 100 };
    for (const key of ['a', 'b', 'c']) acquire(router, turn(key), fleet({}, { up: false })).release(0);
    occupy(router, 1, 2);
    expect(acquire(router, turn('d'), idleFleet(2), { policy }).decision).toMatchObject({
      replica: 1,
      reason: 'no home known; replica 1 has the least load (2 in flight, 0 live sessions)',
      why: expect.any(Object),
    });
  });

  it('does not hold requests against a replica that have ended since its cache was read', () => {
    const router = createRouter({ replicaCount: 2 });
    const policy = { affinity: true, spillThreshold: 100 };
    occupy(router, 0, 2);
    // Four ran when replica 1 was read, and none is left: it is free, whatever the reading says.
    const view = fleet({ kvUsage: 0.1, running: 2 }, { kvUsage: 0.9, running: 4 });
    expect(acquire(router, turn('a'), view, { policy }).decision.replica).toBe(1);
  });

  it('takes the replica with fewer live sessions among equal scores', () => {
    const router = createRouter({ replicaCount: 3 });
    acquire(router, turn('a'), fleet({}, { up: false }, { up: false })).release(0);
    acquire(router, turn('b'), fleet({ up: false }, { up: false }, {})).release(0);
    occupy(router, 1, 1);
    expect(acquire(router, turn('c'), idleFleet(3)).decision.replica).toBe(1);
  });

  it('sees no difference below a thousandth between two scores', () => {
    const router = createRouter({ replicaCount: 2 });
    expect(acquire(router, turn('a'), fleet({ kvUsage: 0.50002 }, { kvUsage: 0.5 })).decision.replica).toBe(0);
  });

  it('leaves the KV term out for all replicas while one that is up has no reading', () => {
    const router = createRouter({ replicaCount: 2 });
    occupy(router, 0, 1);
    expect(acquire(router, turn('a'), fleet({ kvUsage: 0 }, { kvUsage: 1 })).decision.replica).toBe(0);
    const unread = createRouter({ replicaCount: 2 });
    occupy(unread, 0, 1);
    expect(acquire(unread, turn('a'), fleet({ kvUsage: null }, { kvUsage: 1 })).decision.replica).toBe(1);
  });

  it('does not miss the KV reading of a replica that is down', () => {
    const router = createRouter({ replicaCount: 3 });
    occupy(router, 0, 1);
    const view = fleet({ kvUsage: 0 }, { kvUsage: 1 }, { kvUsage: null, up: false });
    expect(acquire(router, turn('a'), view).decision.replica).toBe(0);
  });

  it('counts a conversation for five minutes after its last use', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, turn('a'), fleet({}, { up: false })).release(1000);
    occupy(router, 1, 1).map((lease) => lease.release(0));
    expect(router.liveSessions(0, 1000 + 299_999)).toBe(1);
    expect(acquire(router, turn('b'), idleFleet(2), { now: 200_000 }).decision.replica).toBe(1);
    expect(router.liveSessions(0, 1000 + 300_000)).toBe(0);
    expect(router.liveSessionsTotal(1000 + 300_000)).toBe(1);
  });

  it('rotates among equals instead of always starting at replica 0', () => {
    const router = createRouter({ replicaCount: 3 });
    const replicas = Array.from({ length: 5 }, () => {
      const lease = acquire(router, turn(null), idleFleet(3));
      lease.release(0);
      return lease.decision.replica;
    });
    expect(replicas).toEqual([0, 1, 2, 0, 1]);
  });

  it('prefers a replica below its threshold, and takes the lowest score where all are over', () => {
    const router = createRouter({ replicaCount: 2 });
    for (const key of ['a', 'b', 'c']) acquire(router, turn(key), fleet({ up: false }, {})).release(0);
    occupy(router, 0, 2);
    expect(acquire(router, turn('d'), idleFleet(2)).decision).toMatchObject({ kind: 'placed', replica: 1, home: 1 });
    occupy(router, 1, 1);
    expect(acquire(router, turn('e'), idleFleet(2)).decision).toMatchObject({ kind: 'placed', replica: 0, home: 0 });
  });

  it('places nothing on a draining replica unless no other is up', () => {
    const router = createRouter({ replicaCount: 2 });
    occupy(router, 1, 5);
    expect(acquire(router, turn('a'), fleet({ draining: true }, {})).decision.replica).toBe(1);
    expect(acquire(router, turn('b'), fleet({ draining: true }, { up: false })).decision.replica).toBe(0);
  });

  it('routes nothing while no replica is up', () => {
    const router = createRouter({ replicaCount: 2 });
    const down = fleet({ up: false }, { up: false });
    expect(router.acquire(turn('a'), down, AFFINITY, 0)).toBeNull();
    expect(router.acquire(turn('a'), { ...down, engineBalances: true }, NO_AFFINITY, 0)).toBeNull();
    expect(router.inFlightTotal()).toBe(0);
  });
});

describe('going home', () => {
  it('sends every turn home while the home is below its threshold, and says so with the numbers', () => {
    const router = createRouter({ replicaCount: 4 });
    const home = acquire(router, turn('a'), idleFleet(4)).decision.replica;
    const { decision } = acquire(router, turn('a'), idleFleet(4));
    expect(decision).toEqual({
      kind: 'sticky',
      replica: home,
      home,
      reason: 'home 0 has 1 in flight, threshold 2',
      why: expect.any(Object),
    });
    expect(router.home('a', 0)).toMatchObject({ replica: home, turns: 2, inFlight: 2, lastDecision: 'sticky' });
  });

  it('works with a single replica', () => {
    const router = createRouter({ replicaCount: 1 });
    const kinds = Array.from({ length: 4 }, () => acquire(router, turn('a'), idleFleet(1)).decision.kind);
    expect(kinds).toEqual(['placed', 'sticky', 'sticky', 'sticky']);
  });
});

describe('spilling', () => {
  it('sends the request that finds its home at the threshold to the least-loaded replica; the home stays', () => {
    const router = createRouter({ replicaCount: 3 });
    acquire(router, turn('a'), idleFleet(3));
    occupy(router, 0, 1);
    occupy(router, 1, 1);
    const spilled = acquire(router, turn('a'), idleFleet(3));
    expect(spilled.decision).toEqual({
      kind: 'spilled',
      replica: 2,
      home: 0,
      reason: 'home 0 has 2 in flight, threshold 2; replica 2 has the least load',
      why: expect.any(Object),
    });
    acquire(router, turn('a'), idleFleet(3));
    expect(router.home('a', 0)).toMatchObject({ replica: 0, spills: 2, spillsInARow: 2, warm: [2] });
  });

  it('goes home again when there is room, which ends the row of spills', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, turn('a'), idleFleet(2)).release(0);
    const busy = occupy(router, 0, 2);
    acquire(router, turn('a'), idleFleet(2)).release(0);
    for (const lease of busy) lease.release(0);
    expect(acquire(router, turn('a'), idleFleet(2)).decision.kind).toBe('sticky');
    expect(router.home('a', 0)).toMatchObject({ spills: 1, spillsInARow: 0 });
  });

  it('stays home where no other replica has fewer requests in flight', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, turn('a'), idleFleet(2));
    occupy(router, 0, 1);
    occupy(router, 1, 2);
    expect(acquire(router, turn('a'), idleFleet(2)).decision).toMatchObject({ kind: 'sticky', replica: 0 });
  });

  it('prefers a replica below the threshold to a better score at the threshold', () => {
    const router = createRouter({ replicaCount: 3 });
    acquire(router, turn('a'), idleFleet(3));
    occupy(router, 0, 3);
    occupy(router, 1, 2);
    occupy(router, 2, 1);
    const view = fleet({}, { kvUsage: 0 }, { kvUsage: 1 });
    expect(acquire(router, turn('a'), view).decision).toMatchObject({ kind: 'spilled', replica: 2 });
  });

  it('relieves an overfull home even where all are at the threshold', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, turn('a'), idleFleet(2));
    occupy(router, 0, 3);
    occupy(router, 1, 3);
    expect(acquire(router, turn('a'), idleFleet(2)).decision).toMatchObject({ kind: 'spilled', replica: 1 });
  });

  it('never spills to a draining replica', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, turn('a'), idleFleet(2));
    occupy(router, 0, 4);
    expect(acquire(router, turn('a'), fleet({}, { draining: true })).decision).toMatchObject({ kind: 'sticky' });
  });
});

describe('requests outside conversations', () => {
  it('balances a side request, says which it is, and leaves the home alone', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, turn('a'), idleFleet(2)).release(0);
    const { decision } = acquire(router, side('a', 'title'), idleFleet(2), { now: 60_000 });
    expect(decision).toEqual({
      kind: 'balanced',
      replica: 1,
      home: 0,
      reason: 'side request (title): replica 1 has the least load',
      why: expect.any(Object),
    });
    expect(router.home('a', 60_000)).toMatchObject({ turns: 1, lastUsedAt: 0 });
  });

  it('makes no home for a side request that comes before the first turn', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, side('a', 'title'), idleFleet(2));
    expect(router.home('a', 0)).toBeNull();
    expect(acquire(router, turn('a'), idleFleet(2)).decision.kind).toBe('placed');
  });

  it('balances what has no session key', () => {
    const router = createRouter({ replicaCount: 2 });
    occupy(router, 0, 1);
    expect(acquire(router, turn(null), idleFleet(2)).decision).toEqual({
      kind: 'balanced',
      replica: 1,
      home: null,
      reason: 'no session key: replica 1 has the least load',
      why: expect.any(Object),
    });
  });

  it('obeys a client pin whatever the state of the replica and of affinity, and makes no home', () => {
    const router = createRouter({ replicaCount: 2 });
    const view = fleet({ up: false }, { up: false });
    const { decision } = acquire(router, turn('a', { pin: 1 }), view, { policy: NO_AFFINITY });
    expect(decision).toMatchObject({ kind: 'client_pinned', replica: 1, home: null });
    expect(router.inFlight(1)).toBe(1);
    expect(router.home('a', 0)).toBeNull();
  });

  it('leaves the choice to an engine that balances its own ranks', () => {
    const router = createRouter({ replicaCount: 2 });
    const view = { ...idleFleet(2), engineBalances: true };
    const lease = acquire(router, turn('a'), view, { policy: NO_AFFINITY });
    expect(lease.decision).toEqual({
      kind: 'unrouted',
      replica: null,
      home: null,
      reason: 'affinity is off: the engine chooses',
      why: expect.any(Object),
    });
    const reason = 'the engine ignores the pin on /v1/embeddings';
    const unpinnable = acquire(router, turn('a', { unpinnable: reason, pin: 1 }), view);
    expect(unpinnable.decision).toMatchObject({ kind: 'unrouted', reason: `${reason}: the engine chooses` });
    expect(router.inFlightTotal()).toBe(2);
    expect(router.tally().unrouted).toBe(2);
    lease.release(0);
    unpinnable.release(0);
    expect(router.inFlightTotal()).toBe(0);
  });

  it('applies the rule of the engine, 4 × waiting + running, to several endpoints with affinity off', () => {
    const router = createRouter({ replicaCount: 3 });
    const view = fleet({ waiting: 1, running: 3 }, { running: 6 }, { running: 5, up: false });
    expect(acquire(router, turn('a'), view, { policy: NO_AFFINITY }).decision).toMatchObject({
      kind: 'unrouted',
      replica: 1,
    });
    const unread = fleet({ waiting: null, running: null }, { running: 1 }, { running: 5 });
    expect(acquire(router, turn('a'), unread, { policy: NO_AFFINITY }).decision.replica).toBe(0);
  });

  it('trusts its own count where the engine has not yet noticed what is in flight', () => {
    const router = createRouter({ replicaCount: 2 });
    occupy(router, 0, 3);
    const view = fleet({ running: 0 }, { running: 2 });
    expect(acquire(router, turn('a'), view, { policy: NO_AFFINITY }).decision.replica).toBe(1);
  });

  it('leaves the home of a conversation alone while affinity is off', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, turn('a'), idleFleet(2)).release(0);
    const { decision } = acquire(router, turn('a'), idleFleet(2), { policy: NO_AFFINITY, now: 1000 });
    expect(decision).toMatchObject({ kind: 'unrouted', home: 0 });
    expect(router.home('a', 1000)).toMatchObject({ turns: 1, lastUsedAt: 0, lastDecision: 'placed' });
  });

  it('rotates unrouted requests among equals', () => {
    const router = createRouter({ replicaCount: 2 });
    const replicas = Array.from({ length: 3 }, () => {
      const lease = acquire(router, turn('a'), idleFleet(2), { policy: NO_AFFINITY });
      lease.release(0);
      return lease.decision.replica;
    });
    expect(replicas).toEqual([0, 1, 0]);
  });
});
