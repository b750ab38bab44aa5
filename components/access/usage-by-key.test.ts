import { describe, expect, it } from 'vitest';
import type { ApiKeyState } from '#lib/contract/access.ts';
import { cachedShare, longestPrompt, usageByKey } from './usage-by-key.ts';

function key(id: number, usage: Partial<ApiKeyState['usage']>): ApiKeyState {
  return {
    id,
    name: `key ${id}`,
    prefix: 'lmw_abcd',
    state: 'active',
    created_at: '2026-11-30T12:00:00Z',
    created_by: 'asha',
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    models: null,
    requests_per_minute: null,
    concurrent_requests: null,
    usage: {
      requests: 0,
      measured_requests: 0,
      prompt_cached_tokens: 0,
      prompt_computed_tokens: 0,
      completion_tokens: 0,
      ...usage,
    },
  };
}

describe('what keys used', () => {
  it('lists those that used something, the largest first', () => {
    const keys = [
      key(1, { requests: 1, prompt_computed_tokens: 10 }),
      key(2, {}),
      key(3, { requests: 9, prompt_cached_tokens: 90, prompt_computed_tokens: 5 }),
      key(4, { requests: 2 }),
    ];
    expect(usageByKey(keys).map(({ id }) => id)).toEqual([3, 1, 4]);
    expect(longestPrompt(keys)).toBe(95);
  });

  it('has no share of the cache where the engine told of none', () => {
    expect(cachedShare(key(1, { requests: 3, prompt_computed_tokens: 10 }).usage)).toBeNull();
    const measured = { requests: 1, measured_requests: 1, prompt_cached_tokens: 3, prompt_computed_tokens: 1 };
    expect(cachedShare(key(1, measured).usage)).toBe(75);
  });

  it('draws nothing of no keys', () => {
    expect(longestPrompt([])).toBe(0);
  });
});
