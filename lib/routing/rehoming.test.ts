import { describe, expect, it } from 'vitest';
import { createRouter, type Router } from './router.ts';
import { AFFINITY, fleet, idleFleet, turn } from './test-requests.ts';
import type { FleetView, Lease, RoutedRequest } from './types.ts';

function acquire(router: Router, request: RoutedRequest, view: FleetView): Lease {
  const lease = router.acquire(request, view, AFFINITY, 0);
  if (lease === null) throw new Error('no replica was up');
  return lease;
}

/** Takes `count` places on `replica`, by the client's own choice. */
function occupy(router: Router, replica: number, count: number): Lease[] {
  return Array.from({ length: count }, () => acquire(router, turn(null, { pin: replica }), idleFleet(3)));
}

const UP = idleFleet(3);

function routerWithHome(key: string): Router {
  const router = createRouter({ replicaCount: 3 });
  acquire(router, turn(key), fleet({}, { up: false }, { up: false })).release(0);
  return router;
}

/** A turn that ends at once. */
function play(router: Router, key: string, view = UP) {
  const lease = acquire(router, turn(key), view);
  lease.release(0);
  return lease.decision;
}

describe('a conversation that spills', () => {
  it('moves home at the third spill in a row, and is at home there from then on', () => {
    const router = routerWithHome('a');
    const busy = occupy(router, 0, 2);
    const [first, second, third] = [play(router, 'a'), play(router, 'a'), play(router, 'a')];
    expect([first, second]).toMatchObject([
      { kind: 'spilled', home: 0 },
      { kind: 'spilled', home: 0 },
    ]);
    expect(third).toEqual({
      kind: 'spilled',
      replica: first.replica,
      home: first.replica,
      movedFrom: 0,
      reason: `home 0 has 2 in flight, threshold 2; replica ${first.replica} already holds part of it and, after 3 spills in a row, is its home now`,
      why: expect.any(Object),
    });
    for (const lease of busy) lease.release(0);
    expect(play(router, 'a')).toMatchObject({ kind: 'sticky', replica: first.replica });
    expect(router.home('a', 0)).toMatchObject({ spills: 3, spillsInARow: 0, warm: [0] });
    expect([0, first.replica ?? 0].map((replica) => router.liveSessions(replica, 0))).toEqual([0, 1]);
  });

  it('does not move where it was at home in between', () => {
    const router = routerWithHome('a');
    for (const isBusy of [true, true, false, true, true]) {
      const busy = occupy(router, 0, isBusy ? 2 : 0);
      play(router, 'a');
      for (const lease of busy) lease.release(0);
    }
    expect(router.home('a', 0)).toMatchObject({ replica: 0, spills: 4, spillsInARow: 2 });
  });

  it('goes where it has been before rather than to the least-loaded replica', () => {
    const router = routerWithHome('a');
    const busy = [...occupy(router, 0, 2), ...occupy(router, 1, 1)];
    expect(play(router, 'a')).toMatchObject({ replica: 2 });
    for (const lease of busy) lease.release(0);
    occupy(router, 0, 2);
    occupy(router, 2, 1);
    expect(play(router, 'a')).toMatchObject({
      replica: 2,
      reason: 'home 0 has 2 in flight, threshold 2; replica 2 already holds part of it',
      why: expect.any(Object),
    });
  });

  it('goes to the least-loaded one where that has restarted, is draining or at the threshold', () => {
    const spillAgain = (change: (router: Router) => FleetView) => {
      const router = routerWithHome('a');
      const busy = occupy(router, 1, 1);
      occupy(router, 0, 2);
      expect(play(router, 'a').replica).toBe(2);
      for (const lease of busy) lease.release(0);
      occupy(router, 2, 1);
      return play(router, 'a', change(router)).replica;
    };
    expect(spillAgain(() => UP)).toBe(2);
    expect(
      spillAgain((router) => {
        router.forgetReplica(2);
        return UP;
      }),
    ).toBe(1);
    expect(spillAgain(() => fleet({}, {}, { draining: true }))).toBe(1);
    expect(
      spillAgain((router) => {
        occupy(router, 2, 1);
        return UP;
      }),
    ).toBe(1);
  });

  it('lives where its last turn was once its home has restarted', () => {
    const router = routerWithHome('a');
    const busy = occupy(router, 0, 2);
    const { replica } = play(router, 'a');
    for (const lease of busy) lease.release(0);
    router.forgetReplica(0);
    expect(play(router, 'a')).toMatchObject({ kind: 'sticky', replica });
  });

  it('stays home when the spill that would have moved it reaches nobody', () => {
    const router = routerWithHome('a');
    occupy(router, 0, 2);
    play(router, 'a');
    play(router, 'a');
    const third = acquire(router, turn('a'), UP);
    expect(third.decision.movedFrom).toBe(0);
    const next = router.failOver(third, turn('a'), UP, AFFINITY, 0);
    expect(next?.decision).toMatchObject({ kind: 'failed_over', home: 0 });
    expect(next?.decision.replica).not.toBe(third.decision.replica);
    expect(router.home('a', 0)).toMatchObject({ replica: 0, spills: 2, warm: [next?.decision.replica] });
  });
});

describe('a home that is drained', () => {
  const DRAINED = fleet({ draining: true }, {}, {});

  it('keeps the turn that runs there, and moves with the next one', () => {
    const router = routerWithHome('a');
    const running = acquire(router, turn('a'), UP);
    const moved = play(router, 'a', DRAINED);
    expect(moved).toEqual({
      kind: 'placed',
      replica: 1,
      home: 1,
      movedFrom: 0,
      reason: 'home 0 is draining; replica 1 has the least load (0 in flight, 0 live sessions) and is its home now',
      why: expect.any(Object),
    });
    expect(router.inFlight(0)).toBe(1);
    running.release(0);
    expect(play(router, 'a', DRAINED)).toMatchObject({ kind: 'sticky', replica: 1 });
    expect(play(router, 'a')).toMatchObject({ kind: 'sticky', replica: 1 });
    expect([0, 1, 2].map((replica) => router.liveSessions(replica, 0))).toEqual([0, 1, 0]);
  });

  it('moves to where part of the conversation is, if there is room', () => {
    const warmOn2 = () => {
      const router = routerWithHome('a');
      const busy = [...occupy(router, 0, 2), ...occupy(router, 1, 1)];
      expect(play(router, 'a').replica).toBe(2);
      for (const lease of busy) lease.release(0);
      occupy(router, 2, 1);
      return router;
    };
    expect(play(warmOn2(), 'a', DRAINED)).toMatchObject({
      kind: 'placed',
      replica: 2,
      reason: 'home 0 is draining; replica 2 already holds part of it and is its home now',
      why: expect.any(Object),
    });
    const crowded = warmOn2();
    occupy(crowded, 2, 1);
    expect(play(crowded, 'a', DRAINED)).toMatchObject({ kind: 'placed', replica: 1 });
  });

  it('is kept where there is nowhere to move to', () => {
    const router = routerWithHome('a');
    expect(play(router, 'a', fleet({ draining: true }, { draining: true }, { up: false }))).toMatchObject({
      kind: 'sticky',
      replica: 0,
    });
  });

  it('moves once more where the new home cannot be reached', () => {
    const router = routerWithHome('a');
    const moved = acquire(router, turn('a'), DRAINED);
    const next = router.failOver(moved, turn('a'), DRAINED, AFFINITY, 0);
    expect(next?.decision).toMatchObject({ kind: 'failed_over', replica: 2, home: 2, movedFrom: 0 });
    expect(router.home('a', 0)).toMatchObject({ replica: 2, standIn: null, turns: 2 });
  });
});

describe('a conversation that shares its beginning with another', () => {
  it('is placed beside it, and says so', () => {
    const router = routerWithHome('a');
    expect(acquire(router, turn('fork', { relativeOf: 'a' }), UP).decision).toEqual({
      kind: 'placed',
      replica: 0,
      home: 0,
      reason: 'no home known; replica 0 holds the one whose beginning it shares',
      why: expect.any(Object),
    });
  });

  it('is placed by load where that home is full, draining, down or unknown', () => {
    const forkOf = (relative: string, view: FleetView, busy = 0) => {
      const router = routerWithHome('a');
      occupy(router, 0, busy);
      return acquire(router, turn('fork', { relativeOf: relative }), view).decision.replica;
    };
    expect(forkOf('a', UP, 1)).toBe(0);
    expect(forkOf('a', UP, 2)).not.toBe(0);
    expect(forkOf('a', fleet({ draining: true }, {}, {}))).not.toBe(0);
    expect(forkOf('a', fleet({ up: false }, {}, {}))).not.toBe(0);
    expect(forkOf('nobody', UP)).not.toBe(0);
  });

  it('goes to its own home once it has one', () => {
    const router = routerWithHome('a');
    acquire(router, turn('fork'), fleet({ up: false }, {}, {})).release(0);
    expect(acquire(router, turn('fork', { relativeOf: 'a' }), UP).decision).toMatchObject({
      kind: 'sticky',
      replica: 1,
    });
  });
});

describe('a home moved by hand', () => {
  it('is where the next turn goes, and the replica it left still counts as holding part of it', () => {
    const router = routerWithHome('a');
    expect(router.moveHome('a', 2, UP, AFFINITY)).toEqual({ from: 0, to: 2 });
    expect(play(router, 'a')).toMatchObject({ kind: 'sticky', replica: 2 });
    occupy(router, 2, 2);
    expect(play(router, 'a')).toMatchObject({ kind: 'spilled', replica: 0, home: 2 });
  });

  it('goes to the least-loaded open replica where none is named, never to its own', () => {
    const router = routerWithHome('a');
    occupy(router, 1, 1);
    expect(router.moveHome('a', 'least_loaded', UP, AFFINITY)).toEqual({ from: 0, to: 2 });
    const rest = fleet({}, { draining: true }, { up: false });
    expect(router.moveHome('a', 'least_loaded', fleet({}, { up: false }, {}), AFFINITY)).toEqual({ from: 2, to: 0 });
    expect(router.moveHome('a', 'least_loaded', rest, AFFINITY)).toBeNull();
  });

  it('does not go where nobody takes it, nor where there is none', () => {
    const router = routerWithHome('a');
    expect(router.moveHome('a', 3, UP, AFFINITY)).toBeNull();
    expect(router.moveHome('a', 1, fleet({}, { draining: true }, {}), AFFINITY)).toBeNull();
    expect(router.moveHome('b', 1, UP, AFFINITY)).toBeNull();
    expect(play(router, 'a')).toMatchObject({ kind: 'sticky', replica: 0 });
  });

  it('moves the count of live sessions along', () => {
    const router = routerWithHome('a');
    router.moveHome('a', 1, UP, AFFINITY);
    expect([0, 1, 2].map((replica) => router.liveSessions(replica, 0))).toEqual([0, 1, 0]);
  });
});
