import { describe, expect, it } from 'vitest';
import { formatPercent } from './percent.ts';

describe('formatPercent', () => {
  it.each([
    [100, 1, '100.0%'],
    [0, 1, '0.0%'],
    [78.14, 1, '78.1%'],
    [78.14, 0, '78%'],
    [0, 0, '0%'],
  ] as const)('writes %d with %d digits as %s', (value, digits, text) => {
    expect(formatPercent(value, digits)).toBe(text);
  });

  it.each([
    [99.97, 1, '>99.9%'],
    [99.6, 0, '>99%'],
    [0.02, 1, '<0.1%'],
    [0.3, 0, '<1%'],
  ] as const)('never rounds %d to all or nothing', (value, digits, text) => {
    expect(formatPercent(value, digits)).toBe(text);
  });
});
