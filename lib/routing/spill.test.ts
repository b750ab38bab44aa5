import { expect, it } from 'vitest';
import { autoSpillThreshold } from './spill.ts';

it('takes a quarter of what the engine runs at once as the threshold, at least 1', () => {
  expect([1, 3, 4, 31, 32, 256].map(autoSpillThreshold)).toEqual([1, 1, 1, 7, 8, 64]);
});
