import type { ApiKey } from '#lib/access/types.ts';

const MINUTE_MS = 60_000;
/** A place may be free at any moment; nobody knows when. */
const RETRY_CONCURRENT_SECONDS = 2;

export type KeyPlace =
  | { readonly kind: 'taken'; readonly release: () => void }
  | {
      readonly kind: 'refused';
      readonly limit: 'requests_per_minute' | 'concurrent_requests';
      readonly retryAfterSeconds: number;
    };

/** What a warden counts of a key with limits. `minuteStart`: ms since the epoch by the reader's clock. */
export type KeyCount = {
  readonly keyHash: string;
  readonly inFlight: number;
  readonly minuteStart: number;
  readonly requests: number;
};

/**
 * Counts what each key has under way, and since the beginning of its current minute. In a fleet with what the other
 * wardens told last, so that no request waits for them; what came to them since is not in it.
 */
export type KeyLimits = {
  take(key: ApiKey, now: number): KeyPlace;
  /** What the other wardens should know: of keys with limits that are in use. */
  counts(now: number): readonly KeyCount[];
  /** What each of the others told last. */
  hear(others: readonly KeyCount[]): void;
  /** Nobody can tell: of each limit this warden gives its share, as one of so many. */
  share(wardens: number): void;
};

type Counted = { inFlight: number; minuteStart: number; requests: number };

export function createKeyLimits(): KeyLimits {
  return new Limits();
}

class Limits implements KeyLimits {
  readonly #counts = new Map<string, Counted>();
  #others: ReadonlyMap<string, readonly KeyCount[]> = new Map();
  #sharedBy = 1;

  take(key: ApiKey, now: number): KeyPlace {
    if (key.requestsPerMinute === null && key.concurrentRequests === null) return { kind: 'taken', release() {} };
    const counted = this.#counts.get(key.keyHash) ?? { inFlight: 0, minuteStart: now, requests: 0 };
    this.#counts.set(key.keyHash, counted);
    const others = this.#others.get(key.keyHash) ?? [];
    const theirs = others.filter(({ minuteStart }) => isRunning(minuteStart, now));
    beginMinute(counted, theirs, now);
    const most = (limit: number | null) => (limit === null ? null : Math.max(1, Math.floor(limit / this.#sharedBy)));
    const concurrent = most(key.concurrentRequests);
    if (concurrent !== null && counted.inFlight + sum(others, 'inFlight') >= concurrent) {
      return { kind: 'refused', limit: 'concurrent_requests', retryAfterSeconds: RETRY_CONCURRENT_SECONDS };
    }
    const perMinute = most(key.requestsPerMinute);
    if (perMinute !== null && counted.requests + sum(theirs, 'requests') >= perMinute) {
      const retryAfterSeconds = Math.max(1, Math.ceil((counted.minuteStart + MINUTE_MS - now) / 1000));
      return { kind: 'refused', limit: 'requests_per_minute', retryAfterSeconds };
    }
    counted.inFlight += 1;
    counted.requests += 1;
    let isOver = false;
    return {
      kind: 'taken',
      release() {
        if (isOver) return;
        isOver = true;
        counted.inFlight -= 1;
      },
    };
  }

  counts(now: number): readonly KeyCount[] {
    for (const [keyHash, { inFlight, minuteStart }] of this.#counts) {
      if (inFlight === 0 && !isRunning(minuteStart, now)) this.#counts.delete(keyHash);
    }
    return [...this.#counts].map(([keyHash, counted]) => ({ keyHash, ...counted }));
  }

  hear(others: readonly KeyCount[]): void {
    const byKey = new Map<string, KeyCount[]>();
    for (const count of others) byKey.set(count.keyHash, [...(byKey.get(count.keyHash) ?? []), count]);
    this.#others = byKey;
    this.#sharedBy = 1;
  }

  share(wardens: number): void {
    this.#others = new Map();
    this.#sharedBy = Math.max(1, wardens);
  }
}

/**
 * A minute begins with the first request, at whichever warden it came. A clock that was set back begins a new one as
 * well.
 */
function beginMinute(counted: Counted, theirs: readonly KeyCount[], now: number): void {
  if (!isRunning(counted.minuteStart, now)) {
    counted.minuteStart = now;
    counted.requests = 0;
  }
  counted.minuteStart = Math.min(counted.minuteStart, ...theirs.map(({ minuteStart }) => minuteStart));
}

const isRunning = (minuteStart: number, now: number): boolean => now >= minuteStart && now - minuteStart < MINUTE_MS;

const sum = (counts: readonly KeyCount[], what: 'inFlight' | 'requests'): number =>
  counts.reduce((total, count) => total + count[what], 0);
