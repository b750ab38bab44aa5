import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topOf, valueTicks } from './value-ticks.ts';

describe('valueTicks', () => {
  it.each([
    [2.71, 5, false, [0, 1, 2, 3]],
    [15_800, 5, false, [0, 4000, 8000, 12_000, 16_000]],
    [0.122, 5, false, [0, 0.025, 0.05, 0.075, 0.1, 0.125]],
    [7.2, 5, false, [0, 2.5, 5, 7.5]],
    [155, 3, false, [0, 100, 200]],
  ] as const)('scales up to %d', (top, count, whole, expected) => {
    expect(valueTicks(top, count, whole)).toEqual(expected);
  });

  it('has no tick between two whole numbers where things are counted', () => {
    expect(valueTicks(1, 5, true)).toEqual([0, 1]);
    expect(valueTicks(3, 5, true)).toEqual([0, 1, 2, 3]);
    expect(valueTicks(9, 5, true)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(valueTicks(22, 5, true)).toEqual([0, 5, 10, 15, 20, 25]);
  });

  it('has a scale for nothing', () => {
    expect(valueTicks(0, 5, true)).toEqual([0, 1, 2, 3, 4]);
  });

  it('reaches the top of any chart, in equal steps, and leaves less than half of it empty', () => {
    const tops = fc.double({ min: 1e-6, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(tops, fc.constantFrom(3, 4, 5), fc.boolean(), (top, count, whole) => {
        const ticks = valueTicks(top, count, whole);
        const highest = ticks.at(-1) ?? 0;
        expect(highest).toBeGreaterThanOrEqual(top * (1 - 1e-9));
        if (!whole || top >= 4) expect(highest).toBeLessThan(2 * top);
        expect(ticks.length).toBeLessThanOrEqual(count + 1);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        if (whole) expect(ticks.every(Number.isInteger)).toBe(true);
        const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
        for (const [index, tick] of ticks.entries())
          expect(tick).toBeCloseTo(index * step, 6 - Math.log10(highest + 1));
      }),
    );
  });
});

describe('topOf', () => {
  const points = [
    { time: 0, filling: false, values: { a: 2, b: 3, line: 4 }, before: null },
    { time: 1, filling: true, values: { a: 1, b: null, line: null }, before: { a: 5, b: 5, line: 1 } },
  ];
  const nothing = { bars: [], lines: [], barsBefore: [], linesBefore: [] };

  it('adds up bars that stand on each other, and no lines', () => {
    expect(topOf(points, { ...nothing, bars: ['a', 'b'], lines: ['line'] })).toBe(5);
    expect(topOf(points, { ...nothing, bars: ['a'], lines: ['line'] })).toBe(4);
  });

  it('counts the period before where it is drawn', () => {
    expect(topOf(points, { ...nothing, bars: ['a', 'b'], barsBefore: ['a', 'b'] })).toBe(10);
    expect(topOf(points, { ...nothing, linesBefore: ['line'] })).toBe(1);
  });

  it('is 0 where nothing is drawn', () => {
    expect(topOf(points, nothing)).toBe(0);
  });
});
