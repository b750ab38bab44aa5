import { expect, it } from 'vitest';
import { ruleOfThumb } from './rule-of-thumb.ts';

const NOTHING_MEASURED = {
  live_conversations: 0,
  typical_context_tokens: null,
  shared_tokens: 0,
  total_cache_tokens: null,
  fitting_conversations: null,
  fits: null,
};
const numbers = {
  live_sessions: 12,
  typical_context_tokens: 14_000,
  kv_capacity_tokens: 152_000,
  replica_count: 4,
  fit: NOTHING_MEASURED,
};

it('says that more context lives than there is cache for', () => {
  expect(ruleOfThumb(numbers)).toEqual({
    kind: 'too_many',
    sessions: 12,
    context: 14_000,
    shared: 0,
    tokens: 168_000,
    capacity: 152_000,
  });
});

it('says that it fits, up to the last token', () => {
  expect(ruleOfThumb({ ...numbers, kv_capacity_tokens: 168_000 }).kind).toBe('fits');
});

it('goes by what admission knows, which counts a shared beginning once for each replica', () => {
  const fit = {
    live_conversations: 10,
    typical_context_tokens: 14_000,
    shared_tokens: 4_000,
    total_cache_tokens: 120_000,
    fitting_conversations: 10,
    fits: true,
  };
  const fitting = { sessions: 10, context: 14_000, shared: 4_000, tokens: 116_000, capacity: 120_000 };
  expect(ruleOfThumb({ ...numbers, fit })).toEqual({ kind: 'fits', ...fitting });
  expect(ruleOfThumb({ ...numbers, fit: { ...fit, fits: false } }).kind).toBe('too_many');
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
