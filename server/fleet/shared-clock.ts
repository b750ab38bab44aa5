/** One reading of the shared memory's clock, with this warden's own before and after it; all in ms. */
type Reading = { readonly askedAt: number; readonly sharedNow: number; readonly answeredAt: number };

/** Beyond them a reading is forgotten: clocks drift, and may be set. */
const READINGS = 30;

/** By how much the shared memory's clock is ahead of this warden's: from the quickest of the last readings. */
export class SharedClock {
  #readings: readonly Reading[] = [];
  #aheadMs = 0;

  /** False: nothing is known of the other clock yet. */
  get isRead(): boolean {
    return this.#readings.length > 0;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  read(reading: Reading): void {
    const last = this.#readings.at(-1);
    // Set back, or ahead by more than readings are apart: what was read before says nothing any more.
    const wasSet = last !== undefined && Math.abs(ahead(reading) - ahead(last)) > trip(reading) + trip(last) + 1000;
    this.#readings = [...(wasSet ? [] : this.#readings), reading].slice(-READINGS);
    const quickest = this.#readings.reduce((best, one) => (trip(one) <= trip(best) ? one : best), reading);
    this.#aheadMs = ahead(quickest);
  }
}

const trip = ({ askedAt, answeredAt }: Reading): number => Math.max(0, answeredAt - askedAt);

/** As if the clock was read half-way. */
const ahead = ({ askedAt, sharedNow, answeredAt }: Reading): number => sharedNow - (askedAt + answeredAt) / 2;
