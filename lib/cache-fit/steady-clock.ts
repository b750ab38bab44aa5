/** Makes any clock one that does not run backwards: set back, it goes on from where it was. Times in ms. */
export class SteadyClock {
  #latest = Number.NEGATIVE_INFINITY;
  #behind = 0;

  read(at: number): number {
    if (at + this.#behind < this.#latest) this.#behind = this.#latest - at;
    this.#latest = at + this.#behind;
    return this.#latest;
  }

  /** What the caller's clock will show at `time`. */
  onCallersClock(time: number): number {
    return time - this.#behind;
  }
}
