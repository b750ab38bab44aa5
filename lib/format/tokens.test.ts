import { describe, expect, it } from 'vitest';
import { formatCompact, formatExact } from './tokens.ts';

describe('formatCompact', () => {
  it.each([
    [0, '0'],
    [7, '7'],
    [8.46, '8.46'],
    [12.34, '12.3'],
    [99.96, '100'],
    [999.4, '999'],
    [999.6, '1k'],
    [1000, '1k'],
    [9500, '9.5k'],
    [38_215, '38.2k'],
    [999_499, '999k'],
    [999_600, '1M'],
    [1_240_000, '1.24M'],
    [3_000_000_000, '3B'],
    [-1500, '−1.5k'],
  ])('writes %d as %s', (value, text) => {
    expect(formatCompact(value)).toBe(text);
  });
});

describe('formatExact', () => {
  it.each([
    [0, '0'],
    [38_215, '38,215'],
    [12.34, '12.3'],
  ])('writes %d as %s', (value, text) => {
    expect(formatExact(value)).toBe(text);
  });
});
