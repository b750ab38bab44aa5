import type { Home } from '#lib/routing/homes.ts';
import type { MovedHome, Router, RouterState, RouterTally } from '#lib/routing/router.ts';
import type { FleetView, Lease, RoutedRequest, RoutingPolicy, SessionKey } from '#lib/routing/types.ts';
import type { ModelClock } from './model-clock.ts';

/**
 * The router of one model with its clock. It runs on the steady one, so that a wall clock that is set moves or forgets
 * no home; the times that it gives and takes are those of the wall clock. Everything else is as lib/routing's.
 */
export class ClockedRouter {
  readonly #router: Router;
  readonly #clock: ModelClock;

  constructor(router: Router, clock: ModelClock) {
    this.#router = router;
    this.#clock = clock;
  }

  acquire(request: RoutedRequest, fleet: FleetView, policy: RoutingPolicy): Lease | null {
    return this.#router.acquire(request, fleet, policy, this.#now);
  }

  failOver(lease: Lease, request: RoutedRequest, fleet: FleetView, policy: RoutingPolicy): Lease | null {
    return this.#router.failOver(lease, request, fleet, policy, this.#now);
  }

  release(lease: Lease): void {
    lease.release(this.#now);
  }

  withdraw(lease: Lease): void {
    this.#router.withdraw(lease, this.#now);
  }

  inFlight(replica: number): number {
    return this.#router.inFlight(replica);
  }

  inFlightTotal(): number {
    return this.#router.inFlightTotal();
  }

  liveSessions(replica: number): number {
    return this.#router.liveSessions(replica, this.#now);
  }

  liveSessionsTotal(): number {
    return this.#router.liveSessionsTotal(this.#now);
  }

  /** Most recently used first, each as it is when it is read. */
  *homes(): Generator<Home> {
    for (const home of this.#router.homes(this.#now)) yield this.#onWallClock(home);
  }

  home(keyHash: string): Home | null {
    const home = this.#router.home(keyHash, this.#now);
    return home === null ? null : this.#onWallClock(home);
  }

  adopt(key: SessionKey, replica: number): void {
    this.#router.adopt(key, replica, this.#now);
  }

  usedElsewhere(keyHash: string): void {
    this.#router.usedElsewhere(keyHash, this.#now);
  }

  moveHome(keyHash: string, to: number | 'least_loaded', fleet: FleetView, policy: RoutingPolicy): MovedHome | null {
    return this.#router.moveHome(keyHash, to, fleet, policy);
  }

  forget(keyHash: string): boolean {
    return this.#router.forget(keyHash);
  }

  forgetReplica(replica: number): void {
    this.#router.forgetReplica(replica);
  }

  forgetTally(replica: number): void {
    this.#router.forgetTally(replica);
  }

  resize(replicaCount: number): void {
    this.#router.resize(replicaCount);
  }

  tally(): RouterTally {
    return this.#router.tally();
  }

  restore({ homes, ...rest }: RouterState): void {
    const steady = [...homes].map((home) => ({ ...home, lastUsedAt: this.#clock.toSteady(home.lastUsedAt) }));
    this.#router.restore({ ...rest, homes: steady }, this.#now);
  }

  get #now(): number {
    return this.#clock.steadyNow();
  }

  #onWallClock(home: Home): Home {
    return { ...home, lastUsedAt: this.#clock.toWall(home.lastUsedAt) };
  }
}
