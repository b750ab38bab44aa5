/** A turn found less than this of its history in the cache: it was evicted. */
const LOST_SHARE = 0.5;
const FOUND_SHARE = 0.9;
/** The first estimates may be too low, and what is never filled is never measured: so they creep up. */
const GROWTH = 1.002;

/**
 * How many tokens a replica's cache holds: what the engine reports, else what its hits tell. A conversation whose
 * history was found after so many tokens of others bounds the cache from below, one whose history was gone from above.
 */
export class Capacity {
  #reported: number | null;
  #learned: number | null = null;
  #mostFound = 0;

  constructor(reported: number | null) {
    this.#reported = reported;
  }

  report(tokens: number | null): void {
    this.#reported = tokens;
  }

  /** Null: not known, so everything is taken to fit. */
  get tokens(): number | null {
    return this.#reported ?? this.#learned;
  }

  get isLearned(): boolean {
    return this.#reported === null && this.#learned !== null;
  }

  /** `distance`: tokens in use on the replica since the conversation's last turn, its own among them. */
  learn(distance: number, expectedTokens: number, cachedTokens: number): void {
    if (this.#reported !== null || expectedTokens <= 0) return;
    const found = cachedTokens / expectedTokens;
    if (found >= FOUND_SHARE) {
      this.#mostFound = Math.max(this.#mostFound, distance);
      if (this.#learned !== null) this.#learned = Math.max(this.#learned * GROWTH, distance);
    } else if (found < LOST_SHARE) {
      // A loss at a distance that was fine before: preemption or another router's traffic. Believe half of it.
      const bound = distance < this.#mostFound ? (distance + this.#mostFound) / 2 : distance;
      this.#mostFound = Math.min(this.#mostFound, bound);
      this.#learned = this.#learned === null ? bound : Math.min(this.#learned, bound);
    }
  }
}
