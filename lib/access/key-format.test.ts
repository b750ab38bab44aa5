import { expect, it } from 'vitest';
import { presentedKey, presentedKeys, shownPrefix, withoutKeys } from './key-format.ts';

it('a key is taken from both headers that clients use', () => {
  expect(presentedKeys({ authorization: 'Bearer a', 'x-api-key': 'b' })).toEqual(['a', 'b']);
  expect(presentedKeys({ authorization: 'bearer   a' })).toEqual(['a']);
  expect(presentedKeys({ 'x-api-key': '' })).toEqual([]);
  expect(presentedKey({ 'x-api-key': 'b' })).toBe('b');
  expect(presentedKey({})).toBeNull();
});

it('a query keeps all but our keys', () => {
  expect(withoutKeys('?beta=true&key=lmw_abc&x=1')).toBe('?beta=true&x=1');
  expect(withoutKeys('?lmw_abc')).toBe('');
  expect(withoutKeys('?beta=true')).toBe('?beta=true');
  expect(withoutKeys('')).toBe('');
});

it('of a key only its beginning is shown', () => {
  expect(shownPrefix('lmw_abcdefghijkl')).toBe('lmw_abcd');
});
