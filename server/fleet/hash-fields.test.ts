import { expect, it } from 'vitest';
import { hashFields } from './hash-fields.ts';

const FIELDS = [
  ['one', '1'],
  ['other', ''],
] as const;

it.each([
  ['a map', { one: '1', other: '' }],
  ['a list', ['one', '1', 'other', '']],
])('reads the fields of a hash from %s', (_, answer) => {
  expect(hashFields(answer)).toEqual(FIELDS);
});

it.each([null, 'OK', 7, [1, 2], { one: 1 }])('takes %j for no answer', (answer) => {
  expect(() => hashFields(answer)).toThrow();
});
