import { describe, expect, it } from 'vitest';
import { searchRows } from './search-rows.ts';

const rows = [
  { key: 'a1f3', client: 'Claude Code' },
  { key: 'b2e4', client: null },
];
const keysOf = (search: string) => searchRows(rows, search, ({ key, client }) => [key, client]).map(({ key }) => key);

describe('searchRows', () => {
  it('finds a row by words in any of its fields, whatever their case', () => {
    expect(keysOf('claude A1')).toEqual(['a1f3']);
    expect(keysOf('B2')).toEqual(['b2e4']);
  });

  it('wants every word', () => {
    expect(keysOf('claude b2')).toEqual([]);
  });

  it('leaves all rows where nothing is searched for', () => {
    expect(keysOf('  ')).toEqual(['a1f3', 'b2e4']);
  });
});
