import { expect, it } from 'vitest';
import { emptyTally, stickyPercent } from './tally.ts';

it('gives the sticky share of sticky and spilled requests over all replicas, first placements left out', () => {
  const tallies = [
    { ...emptyTally(), placed: 40, sticky: 5, failedOverIn: 9 },
    { ...emptyTally(), sticky: 1, spilledIn: 2, balanced: 3, clientPinned: 3 },
  ];
  expect(stickyPercent(tallies)).toBe(75);
});

it('knows no sticky share before anything was sticky or spilled', () => {
  expect(stickyPercent([{ ...emptyTally(), placed: 3 }])).toBeNull();
  expect(stickyPercent([])).toBeNull();
});
