import { decide, decideAfterFailure, type RoutingState } from './decide.ts';
import { Grant, type GrantFields, type Slot } from './grant.ts';
import { type Home, HomeTable, type RememberedHome } from './homes.ts';
import { asBefore, keepHome, moveByHand, type Order, takeBack } from './keep-home.ts';
import { isOpen } from './load.ts';
import { placement } from './place.ts';
import { addTally, adjustTally, emptyTally } from './tally.ts';
import type { FleetView, Lease, ReplicaTally, RoutedRequest, RoutingPolicy, SessionKey } from './types.ts';

export type MovedHome = { readonly from: number; readonly to: number };

export type RouterTally = { readonly replicas: readonly Readonly<ReplicaTally>[]; readonly unrouted: number };

/** What a router takes over from its predecessor: the same shape that `homes` and `tally` give. */
export type RouterState = {
  readonly homes: Iterable<RememberedHome>;
  readonly tallies: readonly Readonly<ReplicaTally>[];
  readonly unrouted: number;
};

/**
 * The routing of one model as a deterministic state machine: the same calls with the same times give the same
 * decisions. Every `now` is in ms on one clock that does not run backwards, wall or virtual.
 */
export type Router = {
  /** Decides and takes the place, to be released once the request has ended. Null where no replica is up. */
  acquire(request: RoutedRequest, fleet: FleetView, policy: RoutingPolicy, now: number): Lease | null;
  /**
   * The replica of `lease` could not be reached and not a byte of an answer has come: exchanges the lease for one on
   * another replica, its decision counted in place of the first. Null where that cannot be done; the first lease is
   * then still held and still to be released.
   */
  failOver(lease: Lease, request: RoutedRequest, fleet: FleetView, policy: RoutingPolicy, now: number): Lease | null;
  /** Nothing was sent under the lease: gives it back, uncounted, and takes back the home that it made. */
  withdraw(lease: Lease, now: number): void;
  inFlight(replica: number): number;
  /** All leases not yet released: unrouted ones, and ones on replicas that are no longer there, included. */
  inFlightTotal(): number;
  /** Conversations with their home here that were used in the last five minutes. */
  liveSessions(replica: number, now: number): number;
  liveSessionsTotal(now: number): number;
  /** Most recently used first. To be read at once: the entries change with the next request. */
  homes(now: number): Iterable<Home>;
  /** To be read at once as well. */
  home(keyHash: string, now: number): Home | null;
  /** Another router knows where this conversation lives: so does this one from now on. */
  adopt(key: SessionKey, replica: number, now: number): void;
  /** Another router had a turn of this conversation a moment ago: where it is known here, it lives on here too. */
  usedElsewhere(keyHash: string, now: number): void;
  /**
   * Moves a home by hand, with effect from the next turn: to another open replica, or to the least-loaded of them. The
   * replica it leaves stays known as one that holds part of it. Null where it has no home or that replica is not open.
   */
  moveHome(keyHash: string, to: number | 'least_loaded', fleet: FleetView, policy: RoutingPolicy): MovedHome | null;
  /** The conversation will be placed anew. False where it had no home. */
  forget(keyHash: string): boolean;
  /**
   * This replica's cache is gone: so are the homes there, except of conversations whose stand-in or last spill was
   * elsewhere, which live there now.
   */
  forgetReplica(replica: number): void;
  /** The number means another replica from now on, whose counters begin anew. */
  forgetTally(replica: number): void;
  resize(replicaCount: number): void;
  tally(): RouterTally;
  restore(state: RouterState, now: number): void;
};

export type RouterOptions = {
  readonly replicaCount: number;
  readonly maxHomes?: number;
  /** Where the first scan begins; several routers in front of the same replicas begin at different ones. */
  readonly firstScanned?: number;
};

export function createRouter({ replicaCount, maxHomes = 8192, firstScanned = 0 }: RouterOptions): Router {
  return new AffinityRouter(replicaCount, maxHomes, firstScanned);
}

const NONE: readonly number[] = [];

class AffinityRouter implements Router {
  readonly #homes: HomeTable;
  readonly #chosenByEngine: Slot = newSlot();
  #slots: Slot[];
  #lastChosen: number;
  #inFlightTotal = 0;
  #unrouted = 0;

  constructor(replicaCount: number, maxHomes: number, firstScanned: number) {
    this.#homes = new HomeTable(replicaCount, maxHomes);
    this.#slots = Array.from({ length: replicaCount }, newSlot);
    this.#lastChosen = (firstScanned + Math.max(0, replicaCount - 1)) % Math.max(1, replicaCount);
  }

  acquire(request: RoutedRequest, fleet: FleetView, policy: RoutingPolicy, now: number): Lease | null {
    this.#homes.advance(now);
    const question = { request, fleet, policy, unreachable: NONE, state: this.#state(fleet) };
    const decision = decide(question);
    return decision === null ? null : this.#grant({ decision, question, now, earlier: null }, false);
  }

  failOver(lease: Lease, request: RoutedRequest, fleet: FleetView, policy: RoutingPolicy, now: number): Lease | null {
    if (!(lease instanceof Grant) || lease.isReleased) return null;
    const { fields } = lease;
    const { kind, replica } = fields.decision;
    if (replica === null || kind === 'client_pinned') return null;

    this.#homes.advance(now);
    const unreachable = [...fields.unreachable, replica];
    const before = fields.home === null ? null : asBefore(fields.home, fields.decision, this.#slots.length);
    const home = (keyHash: string): Home | null => {
      const known = this.#homes.get(keyHash);
      return known !== null && known === fields.home ? { ...known, ...before } : known;
    };
    const question = { request, fleet, policy, unreachable, state: { ...this.#state(fleet), home } };
    const decision = decideAfterFailure(question, fields.madeHome);
    if (decision === null) return null;

    lease.release(now);
    this.#count(fields, -1);
    if (fields.home !== null && before !== null) takeBack(this.#homes, fields.home, before);
    return this.#grant({ decision, question, now, earlier: fields.home }, fields.madeHome);
  }

  withdraw(lease: Lease, now: number): void {
    if (!(lease instanceof Grant) || lease.isReleased) return;
    const { fields } = lease;
    const { home, decision } = fields;
    lease.release(now);
    this.#count(fields, -1);
    // A home that is no longer in the table went with its replica's cache, and there is nothing to take back.
    if (home === null || this.#homes.get(home.keyHash) !== home) return;
    takeBack(this.#homes, home, asBefore(home, decision, this.#slots.length));
    if (!fields.madeHome) home.turns -= 1;
    else if (home.inFlight === 0) this.#homes.remove(home);
  }

  inFlight(replica: number): number {
    return this.#slots[replica]?.inFlight ?? 0;
  }

  inFlightTotal(): number {
    return this.#inFlightTotal;
  }

  liveSessions(replica: number, now: number): number {
    this.#homes.advance(now);
    return this.#homes.liveSessions(replica);
  }

  liveSessionsTotal(now: number): number {
    return this.#slots.reduce((sum, _, replica) => sum + this.liveSessions(replica, now), 0);
  }

  homes(now: number): Iterable<Home> {
    this.#homes.advance(now);
    return this.#homes.all();
  }

  home(keyHash: string, now: number): Home | null {
    this.#homes.advance(now);
    return this.#homes.get(keyHash);
  }

  adopt(key: SessionKey, replica: number, now: number): void {
    if (replica >= this.#slots.length) return;
    this.#homes.advance(now);
    const known = this.#homes.get(key.hash);
    if (known === null) this.#homes.add(key, replica, false, now).turns = 0;
    else if (known.replica !== replica) this.#homes.move(known, replica);
  }

  usedElsewhere(keyHash: string, now: number): void {
    this.#homes.advance(now);
    const known = this.#homes.get(keyHash);
    if (known !== null) this.#homes.touch(known, now);
  }

  moveHome(keyHash: string, to: number | 'least_loaded', fleet: FleetView, policy: RoutingPolicy): MovedHome | null {
    const home = this.#homes.get(keyHash);
    if (home === null) return null;
    const from = home.replica;
    const situation = { fleet, state: this.#state(fleet), unreachable: [from] };
    const target = to === 'least_loaded' ? placement(situation, policy.spillThreshold) : to;
    if (target === null || !isOpen(situation, target)) return null;
    moveByHand(this.#homes, home, target);
    return { from, to: target };
  }

  forget(keyHash: string): boolean {
    const home = this.#homes.get(keyHash);
    if (home !== null) this.#homes.remove(home);
    return home !== null;
  }

  forgetReplica(replica: number): void {
    this.#homes.dropReplicas((other) => other === replica);
  }

  forgetTally(replica: number): void {
    const slot = this.#slots[replica];
    if (slot !== undefined) slot.tally = emptyTally();
  }

  resize(replicaCount: number): void {
    this.#homes.resize(replicaCount);
    this.#slots = Array.from({ length: replicaCount }, (_, replica) => this.#slots[replica] ?? newSlot());
  }

  tally(): RouterTally {
    return { replicas: this.#slots.map(({ tally }) => ({ ...tally })), unrouted: this.#unrouted };
  }

  restore(state: RouterState, now: number): void {
    this.#homes.restore(state.homes, now);
    for (const [replica, { tally }] of this.#slots.entries()) {
      const remembered = state.tallies[replica];
      if (remembered !== undefined) addTally(tally, remembered);
    }
    this.#unrouted += state.unrouted;
  }

  readonly #inFlightOn = (replica: number): number => this.inFlight(replica);
  readonly #liveSessionsOn = (replica: number): number => this.#homes.liveSessions(replica);
  readonly #homeOf = (keyHash: string): Home | null => this.#homes.get(keyHash);

  #state({ elsewhere = null }: FleetView): RoutingState {
    return {
      replicaCount: this.#slots.length,
      lastChosen: this.#lastChosen,
      inFlight: elsewhere === null ? this.#inFlightOn : (on) => this.inFlight(on) + elsewhere.inFlight(on),
      liveSessions:
        elsewhere === null ? this.#liveSessionsOn : (on) => this.#homes.liveSessions(on) + elsewhere.liveSessions(on),
      home: this.#homeOf,
    };
  }

  /** Carries a decision out. `madeHome`: the request had made its conversation's home before it failed over. */
  #grant(order: Order, madeHome: boolean): Lease {
    const { decision, question } = order;
    const { kind, replica } = decision;
    const slot = (replica === null ? undefined : this.#slots[replica]) ?? this.#chosenByEngine;
    const kept = keepHome(this.#homes, order);
    const fields: GrantFields = {
      decision,
      slot,
      tally: slot.tally,
      home: kept?.home ?? null,
      madeHome: madeHome || kept?.isNew === true,
      unreachable: question.unreachable,
    };
    slot.inFlight += 1;
    this.#inFlightTotal += 1;
    this.#count(fields, 1);
    if (replica !== null && kind !== 'client_pinned' && kind !== 'sticky') this.#lastChosen = replica;
    return new Grant(fields, this.#giveBack);
  }

  readonly #giveBack = ({ slot, home }: GrantFields, now: number): void => {
    slot.inFlight -= 1;
    this.#inFlightTotal -= 1;
    if (home === null) return;
    home.inFlight -= 1;
    this.#homes.touch(home, now);
  };

  #count({ decision: { kind }, tally }: GrantFields, by: 1 | -1): void {
    if (kind === 'unrouted') this.#unrouted += by;
    else adjustTally(tally, kind, by);
  }
}

function newSlot(): Slot {
  return { inFlight: 0, tally: emptyTally() };
}
