import { describe, expect, it } from 'vitest';
import type { ApiKey } from '#lib/access/types.ts';
import { createKeyLimits } from './key-limits.ts';

const KEY: ApiKey = {
  id: 1,
  name: 'a',
  prefix: 'lmw_a',
  keyHash: 'h',
  createdAt: 0,
  createdBy: 'asha',
  expiresAt: null,
  revokedAt: null,
  models: null,
  requestsPerMinute: null,
  concurrentRequests: null,
};

describe('the limits of a key', () => {
  it('are none where none are set', () => {
    const limits = createKeyLimits();
    for (let at = 0; at < 1000; at += 1) expect(limits.take(KEY, at).kind).toBe('taken');
  });

  it('refuse the request over those of a minute, and say when the next minute begins', () => {
    const limits = createKeyLimits();
    const key = { ...KEY, requestsPerMinute: 2 };
    expect([limits.take(key, 0).kind, limits.take(key, 10_000).kind]).toEqual(['taken', 'taken']);
    expect(limits.take(key, 15_500)).toEqual({ kind: 'refused', limit: 'requests_per_minute', retryAfterSeconds: 45 });
    expect(limits.take({ ...key, keyHash: 'another' }, 15_500).kind).toBe('taken');
    expect(limits.take(key, 60_000).kind).toBe('taken');
  });

  it('begin a new minute when the clock is set back', () => {
    const limits = createKeyLimits();
    const key = { ...KEY, requestsPerMinute: 1 };
    limits.take(key, 1_000_000);
    expect(limits.take(key, 500).kind).toBe('taken');
  });

  it('refuse more at a time, until one has ended; ending twice is ending once', () => {
    const limits = createKeyLimits();
    const key = { ...KEY, concurrentRequests: 2 };
    const first = limits.take(key, 0);
    limits.take(key, 0);
    expect(limits.take(key, 0)).toMatchObject({ kind: 'refused', limit: 'concurrent_requests' });
    if (first.kind === 'taken') {
      first.release();
      first.release();
    }
    expect(limits.take(key, 0).kind).toBe('taken');
    expect(limits.take(key, 0).kind).toBe('refused');
  });

  it('do not count against a minute what was refused for being too much at a time', () => {
    const limits = createKeyLimits();
    const key = { ...KEY, concurrentRequests: 1, requestsPerMinute: 2 };
    const first = limits.take(key, 0);
    for (let at = 0; at < 5; at += 1) limits.take(key, 0);
    if (first.kind === 'taken') first.release();
    expect(limits.take(key, 0).kind).toBe('taken');
  });

  it('count with what other wardens told: what runs there, and what came there in the same minute', () => {
    const limits = createKeyLimits();
    const key = { ...KEY, requestsPerMinute: 5, concurrentRequests: 3 };
    limits.hear([
      { keyHash: key.keyHash, inFlight: 1, minuteStart: 90_000, requests: 2 },
      { keyHash: key.keyHash, inFlight: 1, minuteStart: 95_000, requests: 1 },
      { keyHash: 'another', inFlight: 9, minuteStart: 95_000, requests: 9 },
    ]);
    const first = limits.take(key, 100_000);
    expect(limits.take(key, 100_000)).toMatchObject({ kind: 'refused', limit: 'concurrent_requests' });
    if (first.kind === 'taken') first.release();
    limits.hear([{ keyHash: key.keyHash, inFlight: 0, minuteStart: 90_000, requests: 3 }]);
    expect(limits.take(key, 100_001).kind).toBe('taken');
    // The minute is the one that began elsewhere.
    expect(limits.take(key, 100_002)).toEqual({
      kind: 'refused',
      limit: 'requests_per_minute',
      retryAfterSeconds: 50,
    });
    expect(limits.take(key, 150_000).kind).toBe('taken');
  });

  it('tell other wardens of keys that are in use, and of no others', () => {
    const limits = createKeyLimits();
    const key = { ...KEY, requestsPerMinute: 5 };
    const place = limits.take(key, 100_000);
    limits.take({ ...KEY, keyHash: 'unlimited' }, 100_000);
    const count = { keyHash: key.keyHash, inFlight: 1, minuteStart: 100_000, requests: 1 };
    expect(limits.counts(100_000)).toEqual([count]);
    expect(limits.counts(200_000)).toEqual([count]);
    if (place.kind === 'taken') place.release();
    expect(limits.counts(200_000)).toEqual([]);
  });

  it('give this warden its share where others cannot tell, and all again when they can', () => {
    const limits = createKeyLimits();
    const key = { ...KEY, requestsPerMinute: 7, concurrentRequests: 1 };
    limits.hear([{ keyHash: key.keyHash, inFlight: 1, minuteStart: 100_000, requests: 6 }]);
    limits.share(3);
    const take = (): string => {
      const place = limits.take(key, 100_000);
      if (place.kind === 'taken') place.release();
      return place.kind;
    };
    expect([take(), take(), take()]).toEqual(['taken', 'taken', 'refused']);
    limits.hear([]);
    expect(take()).toBe('taken');
  });
});
