import type { HomeEntry } from './homes.ts';
import type { Decision, Lease, ReplicaTally } from './types.ts';

/** What the router counts of one replica. A lease keeps its slot, so that it ends well whatever became of the replica. */
export type Slot = { inFlight: number; tally: ReplicaTally };

export type GrantFields = {
  readonly decision: Decision;
  readonly slot: Slot;
  /** Where it was counted; the slot may count for another replica by now. */
  readonly tally: ReplicaTally;
  /** The conversation's home; null where the request follows none. */
  readonly home: HomeEntry | null;
  /** This request is the one for which the home was made. */
  readonly madeHome: boolean;
  /** The replicas that this request could not reach before. */
  readonly unreachable: readonly number[];
};

/** The router's own side of a lease. */
export class Grant implements Lease {
  readonly decision: Decision;
  readonly fields: GrantFields;
  readonly #giveBack: (fields: GrantFields, now: number) => void;
  #isReleased = false;

  constructor(fields: GrantFields, giveBack: (fields: GrantFields, now: number) => void) {
    this.decision = fields.decision;
    this.fields = fields;
    this.#giveBack = giveBack;
  }

  get isReleased(): boolean {
    return this.#isReleased;
  }

  release(now: number): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#giveBack(this.fields, now);
  }
}
