import { describe, expect, it } from 'vitest';
import { formatAge, formatSeconds, formatSecondsTick } from './duration.ts';

describe('formatSeconds', () => {
  it.each([
    [0, '0 ms'],
    [0.0004, '<1 ms'],
    [0.38, '380 ms'],
    [0.9996, '1.00 s'],
    [2.05, '2.05 s'],
    [9.996, '10.0 s'],
    [59.96, '1 min'],
    [83, '1 min 23 s'],
    [3600, '1 h'],
    [11_100, '3 h 5 min'],
    [187_200, '2 d 4 h'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});

describe('formatSecondsTick', () => {
  it.each([
    [0, '0'],
    [0.9, '900\u00a0ms'],
    [1.8, '1.8\u00a0s'],
    [45, '45\u00a0s'],
    [150, '2.5\u00a0min'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(formatSecondsTick(seconds)).toBe(text);
  });
});

describe('formatAge', () => {
  it.each([
    [-500, 'now'],
    [999, 'now'],
    [2_400, '2 s ago'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [7_200_000, '2 h ago'],
    [432_000_000, '5 d ago'],
  ])('writes an age of %d ms as %s', (ageMs, text) => {
    expect(formatAge(ageMs)).toBe(text);
  });
});
