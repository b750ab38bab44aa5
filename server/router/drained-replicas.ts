import { type ReplicaPlace, replicaId } from './engine-process.ts';

/** Names of replicas that are not there beyond these are forgotten, the earliest first: in a cluster names pass away. */
const MOST_AWAY = 1_000;

/**
 * The replicas that a person drains. They are kept by their names, and those of replicas that this warden does not have
 * now are kept as well: another warden may have them, and it may get them itself.
 */
export class DrainedReplicas {
  #names: ReadonlySet<string> = new Set();
  #places: readonly ReplicaPlace[] = [];
  #numbers: ReadonlySet<number> = new Set();

  /** All names, those of replicas that are not here among them. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  has(replica: number): boolean {
    return this.#numbers.has(replica);
  }

  /** The numbers mean these replicas from now on. */
  renumber(places: readonly ReplicaPlace[]): void {
    this.#places = places;
    this.#derive();
  }

  set(replica: number, draining: boolean): void {
    const place = this.#places[replica];
    if (place === undefined) return;
    const names = new Set(this.#names);
    if (draining) names.add(replicaId(place));
    else names.delete(replicaId(place));
    this.#names = names;
    this.#derive();
  }

  /** Takes over the names that another warden has. Returns the replicas here that drain now and did not, or no longer do. */
  take(names: readonly string[]): readonly { readonly replica: number; readonly draining: boolean }[] {
    const before = this.#numbers;
    const here = new Set(this.#places.map(replicaId));
    const away = names.filter((name) => !here.has(name)).slice(-MOST_AWAY);
    this.#names = new Set([...names.filter((name) => here.has(name)), ...away]);
    this.#derive();
    return [...this.#places.keys()].flatMap((replica) =>
      before.has(replica) === this.has(replica) ? [] : [{ replica, draining: this.has(replica) }],
    );
  }

  #derive(): void {
    const drained = [...this.#places.entries()].filter(
      ([, place]) => !place.process.isGone && this.#names.has(replicaId(place)),
    );
    this.#numbers = new Set(drained.map(([replica]) => replica));
  }
}
