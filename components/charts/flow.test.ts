import { describe, expect, it } from 'vitest';
import { flow } from './flow.ts';

describe('pieces in rows', () => {
  it('stand beside each other while they fit, to the last pixel', () => {
    expect(flow([40, 30, 10], 100, 10)).toEqual([
      { x: 0, row: 0 },
      { x: 50, row: 0 },
      { x: 90, row: 0 },
    ]);
  });

  it('go on in the next row where they do not', () => {
    expect(flow([60, 31, 20], 100, 10)).toEqual([
      { x: 0, row: 0 },
      { x: 0, row: 1 },
      { x: 41, row: 1 },
    ]);
  });

  it('leave no row empty before a piece that is too wide for any', () => {
    expect(flow([200, 10], 100, 10)).toEqual([
      { x: 0, row: 0 },
      { x: 0, row: 1 },
    ]);
  });
});
