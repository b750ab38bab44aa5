import { describe, expect, it } from 'vitest';
import { createRouter, type Router } from './router.ts';
import { AFFINITY, fleet, idleFleet, NO_AFFINITY, side, turn } from './test-requests.ts';
import type { FleetView, Lease, RoutedRequest } from './types.ts';

function acquire(router: Router, request: RoutedRequest, view: FleetView, now = 0): Lease {
  const lease = router.acquire(request, view, AFFINITY, now);
  if (lease === null) throw new Error('no replica was up');
  return lease;
}

function failOver(router: Router, lease: Lease, request: RoutedRequest, view: FleetView): Lease {
  const next = router.failOver(lease, request, view, AFFINITY, 0);
  if (next === null) throw new Error('nowhere to fail over to');
  return next;
}

const HOME_DOWN = fleet({ up: false }, {}, {});
const UP = idleFleet(3);

function routerWithHome(key: string): Router {
  const router = createRouter({ replicaCount: 3 });
  acquire(router, turn(key), fleet({}, { up: false }, { up: false })).release(0);
  return router;
}

describe('a home that is down', () => {
  it('sends the conversation to one stand-in until the home is back', () => {
    const router = routerWithHome('a');
    const first = acquire(router, turn('a'), HOME_DOWN);
    first.release(0);
    expect(first.decision).toMatchObject({ kind: 'failed_over', home: 0 });
    for (let other = 0; other < 4; other += 1) acquire(router, turn(null, { pin: 1 }), UP);
    for (let other = 0; other < 5; other += 1) acquire(router, turn(null, { pin: 2 }), UP);
    expect(acquire(router, turn('a'), HOME_DOWN).decision.replica).toBe(first.decision.replica);
    expect(acquire(router, turn('a'), UP).decision).toMatchObject({ kind: 'sticky', replica: 0 });
    expect(router.home('a', 0)).toMatchObject({ replica: 0, standIn: first.decision.replica });
  });

  it('chooses another stand-in where the first is down too', () => {
    const router = routerWithHome('a');
    const first = acquire(router, turn('a'), fleet({ up: false }, {}, { up: false }));
    expect(first.decision.replica).toBe(1);
    const second = acquire(router, turn('a'), fleet({ up: false }, { up: false }, {}));
    expect(second.decision).toMatchObject({ kind: 'failed_over', replica: 2, home: 0 });
  });

  it('takes no draining replica as a stand-in while another is up', () => {
    const router = routerWithHome('a');
    for (let other = 0; other < 4; other += 1) acquire(router, turn(null, { pin: 2 }), UP);
    const { decision } = acquire(router, turn('a'), fleet({ up: false }, { draining: true }, {}));
    expect(decision).toMatchObject({ kind: 'failed_over', replica: 2 });
  });

  it('makes the stand-in the home when the home has restarted, and forgets the others that lived there', () => {
    const router = routerWithHome('a');
    acquire(router, turn('b'), fleet({}, { up: false }, { up: false })).release(0);
    acquire(router, turn('a'), fleet({ up: false }, {}, { up: false })).release(0);
    router.forgetReplica(0);
    expect(router.home('a', 0)).toMatchObject({ replica: 1, standIn: null });
    expect(router.home('b', 0)).toBeNull();
    expect([0, 1, 2].map((replica) => router.liveSessions(replica, 0))).toEqual([0, 1, 0]);
  });

  it('keeps no stand-in whose own cache is gone', () => {
    const router = routerWithHome('a');
    acquire(router, turn('a'), fleet({ up: false }, {}, { up: false })).release(0);
    router.forgetReplica(1);
    router.forgetReplica(0);
    expect(router.home('a', 0)).toBeNull();
  });
});

describe('failing over before the first byte', () => {
  it('exchanges the place and the count, once', () => {
    const router = routerWithHome('a');
    const lease = acquire(router, turn('a'), UP);
    const next = failOver(router, lease, turn('a'), UP);
    expect(next.decision).toMatchObject({ kind: 'failed_over', home: 0 });
    expect(next.decision.reason).toMatch(/^replica 0 could not be reached; sent to replica [12] instead$/);
    lease.release(0);
    expect(router.inFlight(0)).toBe(0);
    expect(router.inFlightTotal()).toBe(1);
    const { replicas } = router.tally();
    expect(replicas[0]).toMatchObject({ placed: 1, sticky: 0 });
    expect(replicas[next.decision.replica ?? 0]).toMatchObject({ failedOverIn: 1 });
    expect(router.home('a', 0)).toMatchObject({ replica: 0, standIn: next.decision.replica, turns: 2, inFlight: 1 });
    expect(router.failOver(lease, turn('a'), UP, AFFINITY, 0)).toBeNull();
  });

  it('gives a conversation that was just placed its home where it is really sent, however many tries it takes', () => {
    const router = createRouter({ replicaCount: 3 });
    const first = acquire(router, turn('a'), UP);
    const second = failOver(router, first, turn('a'), UP);
    expect(router.home('a', 0)).toMatchObject({ replica: second.decision.replica, turns: 1, standIn: null });
    const third = failOver(router, second, turn('a'), UP);
    expect(router.home('a', 0)).toMatchObject({ replica: third.decision.replica, turns: 1, standIn: null });
    const tried = [first, second, third].map((lease) => lease.decision.replica);
    expect(new Set(tried).size).toBe(3);
    expect(router.failOver(third, turn('a'), UP, AFFINITY, 0)).toBeNull();
    expect(router.liveSessionsTotal(0)).toBe(1);
    expect(router.inFlightTotal()).toBe(1);
  });

  it('brings two first requests of one conversation to the same replica', () => {
    const router = createRouter({ replicaCount: 3 });
    const placed = acquire(router, turn('a'), UP);
    const sticky = acquire(router, turn('a'), UP);
    const secondAway = failOver(router, sticky, turn('a'), UP);
    const firstAway = failOver(router, placed, turn('a'), UP);
    expect(firstAway.decision.replica).toBe(secondAway.decision.replica);
    expect(router.home('a', 0)?.replica).toBe(firstAway.decision.replica);
  });

  it('places the conversation anew where its home was forgotten in between', () => {
    const router = createRouter({ replicaCount: 3 });
    const lease = acquire(router, turn('a'), UP);
    router.forgetReplica(0);
    const next = failOver(router, lease, turn('a'), UP);
    expect(next.decision.kind).toBe('failed_over');
    expect(router.home('a', 0)).toMatchObject({ replica: next.decision.replica, inFlight: 1, turns: 1 });
  });

  it('takes a spill back that reached nobody, and needs no stand-in while the home is up', () => {
    const router = routerWithHome('a');
    acquire(router, turn(null, { pin: 0 }), UP);
    acquire(router, turn(null, { pin: 0 }), UP);
    const spilled = acquire(router, turn('a'), UP);
    expect(spilled.decision.kind).toBe('spilled');
    const next = failOver(router, spilled, turn('a'), UP);
    expect(next.decision.replica).not.toBe(spilled.decision.replica);
    expect(router.home('a', 0)).toMatchObject({ replica: 0, standIn: null, spills: 0, spillsInARow: 0 });
    const spills = router.tally().replicas.reduce((sum, tally) => sum + tally.spilledIn, 0);
    expect(spills).toBe(0);
  });

  it('changes nothing where it cannot help: client-pinned, engine-balanced, nobody else up', () => {
    const router = createRouter({ replicaCount: 2 });
    const engineBalances = { ...idleFleet(2), engineBalances: true };
    const pinned = acquire(router, turn('a', { pin: 0 }), idleFleet(2));
    expect(router.failOver(pinned, turn('a', { pin: 0 }), idleFleet(2), AFFINITY, 0)).toBeNull();
    const unrouted = router.acquire(turn('a'), engineBalances, NO_AFFINITY, 0);
    if (unrouted === null) throw new Error('not routed');
    expect(router.failOver(unrouted, turn('a'), engineBalances, NO_AFFINITY, 0)).toBeNull();
    const rank = acquire(router, turn('a'), engineBalances);
    expect(router.failOver(rank, turn('a'), engineBalances, AFFINITY, 0)).toBeNull();
    const only = acquire(router, turn('b'), fleet({ up: false }, {}));
    expect(router.failOver(only, turn('b'), fleet({ up: false }, {}), AFFINITY, 0)).toBeNull();
    expect(router.inFlightTotal()).toBe(4);
    for (const lease of [pinned, unrouted, rank, only]) lease.release(0);
    expect(router.inFlightTotal()).toBe(0);
  });

  it('fails over a side request without touching a home', () => {
    const router = routerWithHome('a');
    const lease = acquire(router, side('a', 'title'), UP);
    const next = failOver(router, lease, side('a', 'title'), UP);
    expect(next.decision.kind).toBe('failed_over');
    expect(router.home('a', 0)).toMatchObject({ turns: 1, standIn: null, lastDecision: 'placed' });
  });
});

describe('keeping and forgetting homes', () => {
  const MINUTE = 60_000;

  it('forgets a conversation after thirty idle minutes, counted from the end of its last request', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, turn('a'), idleFleet(2)).release(10 * MINUTE);
    expect(router.home('a', 40 * MINUTE - 1)?.replica).toBe(0);
    expect(router.home('a', 40 * MINUTE)).toBeNull();
  });

  it('forgets one that was only one small request after five', () => {
    const router = createRouter({ replicaCount: 2 });
    acquire(router, turn('one-shot', { bodyBytes: 16_383 }), idleFleet(2)).release(0);
    acquire(router, turn('two-shot', { bodyBytes: 4000 }), idleFleet(2)).release(0);
    acquire(router, turn('two-shot', { bodyBytes: 4000 }), idleFleet(2)).release(0);
    acquire(router, turn('large', { bodyBytes: 16_384 }), idleFleet(2)).release(0);
    const keys = [...router.homes(5 * MINUTE)].map((home) => home.keyHash);
    expect(keys).toEqual(['large', 'two-shot']);
  });

  it('neither forgets nor discounts a conversation while a request of it runs', () => {
    const router = createRouter({ replicaCount: 2 });
    const lease = acquire(router, turn('a', { bodyBytes: 100 }), idleFleet(2));
    expect(router.liveSessions(0, 45 * MINUTE)).toBe(1);
    lease.release(46 * MINUTE);
    expect(router.home('a', 50 * MINUTE)?.replica).toBe(0);
  });

  it('keeps the most recently used where there are too many', () => {
    const router = createRouter({ replicaCount: 2, maxHomes: 2 });
    for (const key of ['a', 'b', 'a', 'c']) acquire(router, turn(key), idleFleet(2)).release(0);
    expect([...router.homes(0)].map((home) => home.keyHash)).toEqual(['c', 'a']);
  });

  it('forgets one conversation on request', () => {
    const router = createRouter({ replicaCount: 2 });
    const lease = acquire(router, turn('a'), idleFleet(2));
    expect(router.forget('a')).toBe(true);
    expect(router.forget('a')).toBe(false);
    lease.release(0);
    expect(router.liveSessionsTotal(0)).toBe(0);
    expect(acquire(router, turn('a'), idleFleet(2)).decision.kind).toBe('placed');
  });
});

it('lets a reader of the homes forget each as it goes', () => {
  const router = createRouter({ replicaCount: 2 });
  for (const key of ['a', 'b', 'c']) acquire(router, turn(key), idleFleet(2)).release(0);
  for (const home of router.homes(0)) router.forget(home.keyHash);
  expect([...router.homes(0)]).toEqual([]);
  expect(router.liveSessionsTotal(0)).toBe(0);
});

describe('changing and restoring', () => {
  it('drops the homes and counts of replicas that are gone, and their leases still end well', () => {
    const router = createRouter({ replicaCount: 3 });
    const leases = ['a', 'b', 'c'].map((key) => acquire(router, turn(key), UP));
    router.resize(1);
    expect([...router.homes(0)].map((home) => home.keyHash)).toEqual(['a']);
    router.resize(3);
    expect([0, 1, 2].map((replica) => router.inFlight(replica))).toEqual([1, 0, 0]);
    expect(router.inFlightTotal()).toBe(3);
    for (const lease of leases) {
      lease.release(0);
      lease.release(0);
    }
    expect([0, 1, 2].map((replica) => router.inFlight(replica))).toEqual([0, 0, 0]);
    expect(router.inFlightTotal()).toBe(0);
    expect(acquire(router, turn('b'), UP).decision.kind).toBe('placed');
  });

  it('takes homes and counters over from its predecessor', () => {
    const before = createRouter({ replicaCount: 3 });
    for (const key of ['a', 'b', 'c', 'a']) acquire(before, turn(key), UP, 1000).release(2000);
    const homes = [...before.homes(2000)];
    const after = createRouter({ replicaCount: 2 });
    after.restore({ homes, tallies: before.tally().replicas, unrouted: 7 }, 3000);
    expect(after.home('a', 3000)).toMatchObject({ replica: 0, turns: 2, lastUsedAt: 2000, inFlight: 0 });
    expect(after.home('c', 3000)).toBeNull();
    expect(after.liveSessionsTotal(3000)).toBe(2);
    expect(acquire(after, turn('b'), idleFleet(2), 3000).decision).toMatchObject({ kind: 'sticky', replica: 1 });
    expect(after.tally()).toMatchObject({
      replicas: [
        { placed: 1, sticky: 1 },
        { placed: 1, sticky: 1 },
      ],
      unrouted: 7,
    });
  });

  it('restores nothing that is too old, keeps the limit, and does not overrule newer homes', () => {
    const router = createRouter({ replicaCount: 2, maxHomes: 3 });
    acquire(router, turn('a'), fleet({ up: false }, {}), 3_600_000);
    const remembered = { source: 'thread-id', replica: 0, turns: 3, small: false };
    router.restore(
      {
        homes: [
          { ...remembered, keyHash: 'a', lastUsedAt: 3_599_000 },
          { ...remembered, keyHash: 'old', lastUsedAt: 0 },
          { ...remembered, keyHash: 'd', lastUsedAt: 3_000_000 },
          { ...remembered, keyHash: 'e', lastUsedAt: 9_000_000 },
          { ...remembered, keyHash: 'f', lastUsedAt: 2_999_000 },
        ],
        tallies: [],
        unrouted: 0,
      },
      3_600_000,
    );
    expect([...router.homes(3_600_000)].map((home) => [home.keyHash, home.replica])).toEqual([
      ['e', 0],
      ['a', 1],
      ['d', 0],
    ]);
    expect(router.home('e', 3_600_000)?.lastUsedAt).toBe(3_600_000);
    expect([0, 1].map((replica) => router.liveSessions(replica, 3_600_000))).toEqual([1, 1]);
  });
});

describe('a conversation that another router serves', () => {
  const minutes = (count: number): number => count * 60_000;

  it('stays live here as well, and is made no home where it has none', () => {
    const router = createRouter({ replicaCount: 2 });
    for (const hash of ['a', 'b']) router.adopt({ hash, source: 'thread-id' }, 1, 0);
    router.usedElsewhere('a', minutes(4));
    router.usedElsewhere('unknown', minutes(4));
    expect(router.liveSessions(1, minutes(6))).toBe(1);
    expect(router.home('a', minutes(33))).toMatchObject({ replica: 1, turns: 0 });
    expect(router.home('b', minutes(33))).toBeNull();
    expect(router.home('unknown', minutes(6))).toBeNull();
  });
});

describe('a number that another replica takes', () => {
  it('counts anew, and what was counted for the one before is taken back from that one', () => {
    const router = createRouter({ replicaCount: 3 });
    const first = acquire(router, turn('a', { pin: 1 }), UP);
    acquire(router, turn('b', { pin: 1 }), UP).release(0);
    acquire(router, turn('c', { pin: 2 }), UP).release(0);
    router.forgetTally(1);
    expect(router.tally().replicas.map(({ clientPinned }) => clientPinned)).toEqual([0, 0, 1]);
    router.withdraw(first, 0);
    expect(router.tally().replicas.map(({ clientPinned }) => clientPinned)).toEqual([0, 0, 1]);
    expect(router.inFlight(1)).toBe(0);
    acquire(router, turn('d', { pin: 1 }), UP);
    expect(router.tally().replicas.map(({ clientPinned }) => clientPinned)).toEqual([0, 1, 1]);
  });
});
