import { type Elsewhere, NOTHING_ELSEWHERE } from '#lib/cache-fit/types.ts';
import type { RoutedRequest, SessionKey } from '#lib/routing/types.ts';
import type { Fleet, FleetHost } from '#server/fleet/fleet.ts';
import type { SharedModel } from '#server/fleet/shared-model.ts';
import type { ClockedRouter } from './clocked-router.ts';
import { placeShared } from './place-shared.ts';
import type { Placement } from './placement.ts';
import type { EffectivePolicy } from './policy.ts';
import type { Replicas } from './replicas.ts';

/** What a place among several wardens is taken from. */
type Placing = {
  readonly router: ClockedRouter;
  readonly replicas: Replicas;
  readonly policy: EffectivePolicy;
  readonly place: () => Placement | null;
};

/** One model's part in the fleet of wardens: what it tells them and hears of them. Alone, it does nothing. */
export class FleetMembership {
  readonly #fleet: Fleet | null;
  readonly #model: string;
  #shared: SharedModel | null = null;

  constructor(fleet: Fleet | null, model: string) {
    this.#fleet = fleet;
    this.#model = model;
  }

  get isAlone(): boolean {
    return this.#fleet === null;
  }

  /** Null where this warden is alone, or has not joined yet. */
  get shared(): SharedModel | null {
    return this.#shared;
  }

  /** False where there is nobody to join. */
  join(host: FleetHost): boolean {
    this.#shared = this.#fleet?.join(host) ?? null;
    return this.#shared !== null;
  }

  leave(): void {
    this.#fleet?.leave(this.#model);
  }

  /** A person drained a replica here, or took it back. */
  settingChanged(): void {
    this.#fleet?.settingChanged(this.#model);
  }

  /** A person changes the setting here, and the other wardens have to follow. */
  changeSetting<Result>(change: () => Promise<Result>): Promise<Result> {
    return this.#fleet === null ? change() : this.#fleet.changeSetting(this.#model, change);
  }

  /** Something was taken or given back on a replica; null: the engine chose it. */
  loadChanged(replica: number | null): void {
    if (replica !== null) this.#shared?.loadChanged(replica);
  }

  /** A conversation has another home now (null: none), and the other wardens have to follow. */
  moved(key: SessionKey, replica: number | null, byHand: boolean): void {
    this.#shared?.moved(key, replica, byHand);
  }

  /** What the others told for cache-fit, by the numbers that replicas have here now. */
  told(): Elsewhere {
    return this.#shared?.toldElsewhere() ?? NOTHING_ELSEWHERE;
  }

  /** Takes a place by `place` where the conversation lives for all wardens; see `placeShared`. */
  async place(request: RoutedRequest, placing: Placing): Promise<Placement | null> {
    const { router, replicas, policy, place } = placing;
    const shared = this.#shared;
    if (shared === null) return place();
    const isGone = (replica: number): boolean => {
      const process = replicas.places[replica]?.process;
      return process === undefined || (!process.up && (process.lastUpAt === null || process.downSince === null));
    };
    return placeShared({ shared, router, policy, request, place, isGone });
  }
}
