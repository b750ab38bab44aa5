/** A mean that follows what happens: the newest of about `span` values count most. Null before the first. */
export class MovingAverage {
  readonly #span: number;
  #count = 0;
  #value: number | null = null;

  constructor(span: number) {
    this.#span = span;
  }

  get value(): number | null {
    return this.#value;
  }

  add(sample: number): void {
    this.#count = Math.min(this.#count + 1, this.#span);
    this.#value = this.#value === null ? sample : this.#value + (sample - this.#value) / this.#count;
  }
}

/** The latest `size` values, for quantiles. */
export class RecentSamples {
  readonly #size: number;
  readonly #samples: number[] = [];
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get count(): number {
    return this.#samples.length;
  }

  add(sample: number): void {
    this.#samples[this.#next] = sample;
    this.#next = (this.#next + 1) % this.#size;
  }

  /** Nearest rank, `share` 0..1; null where there is none. */
  quantile(share: number): number | null {
    const sorted = [...this.#samples].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
  }
}
