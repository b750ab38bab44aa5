import { expect, it } from 'vitest';
import { ruleOfThumb } from './rule-of-thumb.ts';

const numbers = { live_sessions: 12, typical_context_tokens: 14_000, kv_capacity_tokens: 152_000 };

it('says that more context lives than there is cache for', () => {
  expect(ruleOfThumb(numbers)).toEqual({
    kind: 'too_many',
    sessions: 12,
    context: 14_000,
    tokens: 168_000,
    capacity: 152_000,
  });
});

it('says that it fits, up to the last token', () => {
  expect(ruleOfThumb({ ...numbers, kv_capacity_tokens: 168_000 }).kind).toBe('fits');
});

it('claims nothing where a side is not known, or nobody lives there', () => {
  expect(ruleOfThumb({ ...numbers, kv_capacity_tokens: null })).toEqual({
    kind: 'unknown',
    sessions: 12,
    context: 14_000,
  });
  expect(ruleOfThumb({ ...numbers, typical_context_tokens: null }).kind).toBe('unknown');
  expect(ruleOfThumb({ ...numbers, live_sessions: 0 }).kind).toBe('no_sessions');
});
