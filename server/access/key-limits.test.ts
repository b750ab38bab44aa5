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
    expect(limits.take({ ...key, id: 2 }, 15_500).kind).toBe('taken');
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
});
