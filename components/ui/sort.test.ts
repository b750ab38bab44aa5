import { describe, expect, it } from 'vitest';
import { readSort, sortRows, writeSort } from './sort.ts';

describe('sortRows', () => {
  it('puts the unknown last, whichever way the rows are sorted', () => {
    expect(sortRows([2, null, 3, 1], (row) => row, false)).toEqual([1, 2, 3, null]);
    expect(sortRows([2, null, 3, 1], (row) => row, true)).toEqual([3, 2, 1, null]);
  });

  it('orders words as people do: case apart, numbers in them by size', () => {
    expect(sortRows(['replica 10', 'Replica 2', 'a'], (row) => row, false)).toEqual(['a', 'Replica 2', 'replica 10']);
  });

  it('leaves rows that are equal as they were, descending too', () => {
    const rows = [
      { name: 'first', turns: 1 },
      { name: 'second', turns: 1 },
    ];
    expect(sortRows(rows, ({ turns }) => turns, true)).toEqual(rows);
  });
});

describe('a sort in the address', () => {
  it.each(['turns', '-last_seen'])('reads %s back as it was written', (text) => {
    const sort = readSort(text);
    expect(sort && writeSort(sort)).toBe(text);
  });

  it.each(['', '-'])('reads nothing from "%s"', (text) => {
    expect(readSort(text)).toBeNull();
  });
});
