/** A cumulative histogram with fixed upper bounds, in seconds. */
export class LatencyHistogram {
  readonly bounds: readonly number[];
  private readonly counts: number[];
  private total = 0;
  private seconds = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length).fill(0);
  }

  get count(): number {
    return this.total;
  }

  get sum(): number {
    return this.seconds;
  }

  observe(seconds: number): void {
    this.total += 1;
    this.seconds += seconds;
    for (const [index, bound] of this.bounds.entries()) {
      if (seconds <= bound) this.counts[index] = (this.counts[index] ?? 0) + 1;
    }
  }

  /** Observations up to and including bound `index`. */
  upTo(index: number): number {
    return this.counts[index] ?? 0;
  }
}

/** vLLM's buckets of `time_to_first_token_seconds`. */
export const FIRST_TOKEN_BOUNDS = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560,
];
/** vLLM's buckets of `e2e_request_latency_seconds`. */
export const REQUEST_BOUNDS = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
];
