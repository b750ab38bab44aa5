import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Home } from './homes.ts';
import { createRouter, type Router } from './router.ts';
import { idleFleet, turn } from './test-requests.ts';
import type { Lease, ReplicaView, RoutedRequest, RoutingPolicy } from './types.ts';

const LIVE_MS = 5 * 60_000;
const MAX_REPLICAS = 5;

const request = fc.record({
  key: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { nil: null, freq: 8 }),
  isSide: fc.boolean(),
  pin: fc.option(fc.nat(MAX_REPLICAS), { nil: null, freq: 1 }),
  unpinnable: fc.constantFrom(null, null, null, 'the engine ignores the pin here'),
  bodyBytes: fc.constantFrom(500, 50_000),
  relativeOf: fc.constantFrom(null, null, null, 'a', 'b'),
});

const replicaView = fc.record({
  up: fc.boolean(),
  draining: fc.boolean(),
  kvUsage: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
  running: fc.option(fc.nat(5), { nil: null }),
  waiting: fc.option(fc.nat(5), { nil: null }),
});

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('acquire' as const), request }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('failOver' as const), which: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('replica' as const),
      replica: fc.nat(MAX_REPLICAS - 1),
      view: replicaView,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('policy' as const), affinity: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('resize' as const), count: fc.integer({ min: 1, max: MAX_REPLICAS }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), replica: fc.nat(MAX_REPLICAS - 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(400_000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function routed(
  drawn: typeof request extends fc.Arbitrary<infer T> ? T : never,
  engineBalances: boolean,
): RoutedRequest {
  return turn(drawn.key, {
    role: drawn.isSide ? 'side' : 'turn',
    sideReason: drawn.isSide ? 'title' : null,
    pin: drawn.pin,
    unpinnable: engineBalances ? drawn.unpinnable : null,
    bodyBytes: drawn.bodyBytes,
    relativeOf: drawn.relativeOf,
  });
}

/** One acquired request, and the generation of the replica where it was last counted (null: the engine chose). */
type Placed = { lease: Lease; readonly request: RoutedRequest; generation: symbol | null; isOpen: boolean };

/** Plays steps against a router, and keeps the books in the plainest way there is. */
class Game {
  readonly router: Router;
  readonly replicas: ReplicaView[];
  readonly engineBalances: boolean;
  generations: symbol[];
  policy: RoutingPolicy = { affinity: true, spillThreshold: 2 };
  now = 0;
  readonly requests: Placed[] = [];

  constructor(replicaCount: number, engineBalances: boolean) {
    this.router = createRouter({ replicaCount, maxHomes: 5 });
    this.replicas = [...idleFleet(MAX_REPLICAS).replicas];
    this.generations = Array.from({ length: replicaCount }, () => Symbol());
    this.engineBalances = engineBalances;
  }

  get fleet() {
    return { replicas: this.replicas.slice(0, this.generations.length), engineBalances: this.engineBalances };
  }

  play(step: Step): void {
    if (step.do === 'acquire') this.#acquire(routed(step.request, this.engineBalances));
    if (step.do === 'release') this.#release(this.#open(step.which));
    if (step.do === 'failOver') this.#failOver(this.#open(step.which));
    if (step.do === 'replica') this.replicas[step.replica] = step.view;
    if (step.do === 'policy') this.policy = { ...this.policy, affinity: step.affinity };
    if (step.do === 'forget') this.router.forgetReplica(step.replica);
    if (step.do === 'wait') this.now += step.ms;
    if (step.do === 'resize') {
      this.router.resize(step.count);
      this.generations = Array.from({ length: step.count }, (_, index) => this.generations[index] ?? Symbol());
    }
  }

  #acquire(request: RoutedRequest): void {
    const before = this.#home(request);
    const inARow = before?.spillsInARow ?? 0;
    const homeBefore = before?.replica ?? null;
    const lease = this.router.acquire(request, this.fleet, this.policy, this.now);
    const someUp = this.fleet.replicas.some((replica) => replica.up);
    if (lease === null) {
      expect(someUp).toBe(false);
      return;
    }
    const { kind, replica, home, movedFrom } = lease.decision;
    if (kind !== 'client_pinned' && replica !== null) expect(this.replicas[replica]?.up).toBe(true);
    if (kind === 'placed' && replica !== null) {
      const someOpen = this.fleet.replicas.some((view) => view.up && !view.draining);
      expect(this.replicas[replica]?.draining && someOpen).toBe(false);
      expect(home).toBe(replica);
      expect(this.#homeOf(request)).toBe(replica);
    }
    if (kind === 'sticky') expect(replica).toBe(home);
    if (kind === 'spilled') expect(replica).not.toBe(movedFrom ?? home);
    if (homeBefore !== null && this.#homeOf(request) !== homeBefore) {
      expect(movedFrom).toBe(homeBefore);
      expect(kind === 'spilled' ? inARow : this.replicas[homeBefore]?.draining).toBe(kind === 'spilled' ? 2 : true);
    } else expect(movedFrom).toBeUndefined();
    if (kind === 'failed_over') expect(this.replicas[home ?? -1]?.up).not.toBe(true);
    this.requests.push({ lease, request, generation: this.#generation(replica), isOpen: true });
  }

  #open(which: number): Placed | undefined {
    const open = this.requests.filter((placed) => placed.isOpen);
    return open[which % open.length];
  }

  #release(placed: Placed | undefined): void {
    if (placed === undefined) return;
    placed.lease.release(this.now);
    placed.lease.release(this.now);
    placed.isOpen = false;
  }

  #failOver(placed: Placed | undefined): void {
    if (placed === undefined) return;
    const before = placed.lease;
    const homeBefore = this.#homeOf(placed.request);
    const lease = this.router.failOver(before, placed.request, this.fleet, this.policy, this.now);
    if (lease === null) return;
    expect(lease.decision.kind).toBe('failed_over');
    expect(lease.decision.replica).not.toBe(before.decision.replica);
    expect(before.decision.kind).not.toBe('client_pinned');
    const { kind, replica, movedFrom } = before.decision;
    if (kind === 'placed' && movedFrom === undefined && homeBefore === replica && this.policy.affinity) {
      expect(this.#homeOf(placed.request)).toBe(lease.decision.replica);
    }
    before.release(this.now);
    placed.lease = lease;
    placed.generation = this.#generation(lease.decision.replica);
  }

  checkBooks(): void {
    const open = this.requests.filter((placed) => placed.isOpen);
    const countOn = (list: readonly Placed[], generation: symbol | null | undefined) =>
      list.filter((placed) => placed.generation === generation).length;
    expect(this.router.inFlightTotal()).toBe(open.length);
    const homes = [...this.router.homes(this.now)];
    const { replicas, unrouted } = this.router.tally();
    let counted = unrouted;
    for (const [replica, generation] of this.generations.entries()) {
      expect(this.router.inFlight(replica)).toBe(countOn(open, generation));
      const live = homes.filter(
        (home) => home.replica === replica && (home.inFlight > 0 || this.now - home.lastUsedAt < LIVE_MS),
      );
      expect(this.router.liveSessions(replica, this.now)).toBe(live.length);
      const counts = Object.values(replicas[replica] ?? {});
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
      counted += counts.reduce((sum, count) => sum + count, 0);
    }
    const unroutedRequests = this.requests.filter((placed) => placed.lease.decision.kind === 'unrouted');
    expect(unrouted).toBe(unroutedRequests.length);
    const onLiveReplicas = this.requests.filter(
      (placed) =>
        placed.lease.decision.kind !== 'unrouted' &&
        placed.generation !== null &&
        this.generations.includes(placed.generation),
    );
    expect(counted).toBe(unroutedRequests.length + onLiveReplicas.length);
    expect(homes.length).toBeLessThanOrEqual(5);
    const uses = homes.map((home) => home.lastUsedAt);
    expect(uses).toEqual([...uses].sort((a, b) => b - a));
    for (const home of homes) {
      expect(Math.max(home.replica, ...home.warm)).toBeLessThan(this.generations.length);
      expect(home.warm).not.toContain(home.replica);
      expect(new Set(home.warm).size).toBe(home.warm.length);
      expect(home.warm.length).toBeLessThanOrEqual(3);
      expect(home.spillsInARow).toBeLessThan(3);
      expect(Math.min(home.turns - 1, home.inFlight, home.spills - home.spillsInARow)).toBeGreaterThanOrEqual(0);
    }
  }

  #homeOf(request: RoutedRequest): number | null {
    return this.#home(request)?.replica ?? null;
  }

  #home(request: RoutedRequest): Home | null {
    return request.key === null ? null : this.router.home(request.key.hash, this.now);
  }

  #generation(replica: number | null): symbol | null {
    return replica === null ? null : (this.generations[replica] ?? null);
  }
}

describe('whatever happens', () => {
  it('counts each request in exactly one tally, none below zero, and nothing is in flight at rest', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_REPLICAS }),
        fc.boolean(),
        fc.array(step, { maxLength: 60 }),
        (replicaCount, engineBalances, steps) => {
          const game = new Game(replicaCount, engineBalances);
          for (const next of steps) {
            game.play(next);
            game.checkBooks();
          }
          for (const placed of game.requests) {
            placed.lease.release(game.now);
            placed.isOpen = false;
          }
          game.checkBooks();
          expect(game.router.inFlightTotal()).toBe(0);
          for (const home of game.router.homes(game.now)) expect(home.inFlight).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('decides the same for the same calls at the same times', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const games = [new Game(3, false), new Game(3, false)] as const;
        for (const game of games) for (const next of steps) game.play(next);
        const decisions = games.map((game) => game.requests.map((placed) => placed.lease.decision));
        expect(decisions[0]).toEqual(decisions[1]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('without spill or failure', () => {
  it('never moves a conversation', () => {
    const turns = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(200_000), fc.boolean()), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_REPLICAS }), turns, (replicaCount, sequence) => {
        const router = createRouter({ replicaCount });
        const policy = { affinity: true, spillThreshold: 1000 };
        const firstReplica = new Map<string, number | null>();
        const lastUse = new Map<string, number>();
        let now = 0;
        for (const [key, pauseMs, keepsRunning] of sequence) {
          now += pauseMs;
          if (now - (lastUse.get(key) ?? now) >= 6 * LIVE_MS) firstReplica.delete(key);
          const lease = router.acquire(turn(key), idleFleet(replicaCount), policy, now);
          if (!keepsRunning) lease?.release(now);
          lastUse.set(key, keepsRunning ? Number.POSITIVE_INFINITY : now);
          const replica = lease?.decision.replica ?? null;
          expect(replica).toBe(firstReplica.get(key) ?? replica);
          firstReplica.set(key, replica);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('puts a burst of as many new conversations as there are idle replicas one on each', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.nat(20), (replicaCount, earlier) => {
        const router = createRouter({ replicaCount });
        const policy = { affinity: true, spillThreshold: 8 };
        // Whatever was balanced before only turns the rotation.
        for (let count = 0; count < earlier; count += 1) {
          router.acquire(turn(null), idleFleet(replicaCount), policy, 0)?.release(0);
        }
        const replicas = Array.from(
          { length: replicaCount },
          (_, index) => router.acquire(turn(`new ${index}`), idleFleet(replicaCount), policy, 0)?.decision.replica,
        );
        expect(new Set(replicas).size).toBe(replicaCount);
      }),
    );
  });
});
