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

/** Counts what each key has under way, and since the beginning of its current minute. */
export type KeyLimits = { take(key: ApiKey, now: number): KeyPlace };

type Counted = { inFlight: number; minuteStart: number; requests: number };

export function createKeyLimits(): KeyLimits {
  const counts = new Map<number, Counted>();
  return {
    take(key, now) {
      const counted = counts.get(key.id) ?? { inFlight: 0, minuteStart: now, requests: 0 };
      counts.set(key.id, counted);
      // A clock that was set back begins a new minute as well.
      if (now - counted.minuteStart >= MINUTE_MS || now < counted.minuteStart) {
        counted.minuteStart = now;
        counted.requests = 0;
      }
      if (key.concurrentRequests !== null && counted.inFlight >= key.concurrentRequests) {
        return { kind: 'refused', limit: 'concurrent_requests', retryAfterSeconds: RETRY_CONCURRENT_SECONDS };
      }
      if (key.requestsPerMinute !== null && counted.requests >= key.requestsPerMinute) {
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
    },
  };
}
