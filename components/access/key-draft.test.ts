import { describe, expect, it } from 'vitest';
import { EMPTY_KEY, keyProblems, keyWish } from './key-draft.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const named = { ...EMPTY_KEY, name: ' build farm ' };

describe('a key that is being made', () => {
  it('is for all models, without limits, and good for 90 days, unless chosen otherwise', () => {
    expect(keyWish(named, NOW)).toEqual({
      name: 'build farm',
      models: null,
      expires_at: '2027-02-28T12:00:00.000Z',
      requests_per_minute: null,
      concurrent_requests: null,
    });
  });

  it('can be good for ever, for some models, with limits', () => {
    const draft = { ...named, models: ['a/b'], expiry: 'never', perMinute: '60', concurrent: ' 4 ' } as const;
    expect(keyWish(draft, NOW)).toEqual({
      name: 'build farm',
      models: ['a/b'],
      expires_at: null,
      requests_per_minute: 60,
      concurrent_requests: 4,
    });
  });

  it.each(['0', '-1', '1.5', 'many', '1e9'])('has no limit of %s', (perMinute) => {
    expect(keyProblems({ ...named, perMinute }).perMinute).toBe('limitBad');
    expect(keyWish({ ...named, perMinute }, NOW)).toBeNull();
  });

  it('needs a name, and a model where it is for some only', () => {
    expect(keyProblems({ ...EMPTY_KEY, name: '  ', models: [] })).toMatchObject({
      name: 'needName',
      models: 'needModel',
    });
  });
});
