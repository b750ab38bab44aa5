import { expect, it } from 'vitest';
import { turnPlace } from './turn-place.ts';

const places = (count: number, hasMore: boolean) =>
  Array.from({ length: count }, (_, index) => turnPlace(index, count, hasMore));

it('numbers the turns from the first where all of them are there', () => {
  expect(places(3, false)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

it('claims no number where earlier turns are not there: the newest is the one that can be counted from', () => {
  expect(places(3, true)).toEqual([{ newer: 2 }, { newer: 1 }, { newer: 0 }]);
});
