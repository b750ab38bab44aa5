import { type ChartPoint, sumOf } from './series.ts';

/** What stands at a point of a chart: bars on each other, lines, and both for the period before. */
export type Drawn = {
  readonly bars: readonly string[];
  readonly lines: readonly string[];
  readonly barsBefore: readonly string[];
  readonly linesBefore: readonly string[];
};

const STEPS = [1, 2, 2.5, 4, 5];

/** The highest value that is drawn; 0 where there is none. */
export function topOf(points: readonly ChartPoint[], { bars, lines, barsBefore, linesBefore }: Drawn): number {
  const heights = points.flatMap(({ values, before }) => [
    sumOf(values, bars),
    ...lines.map((key) => values[key] ?? null),
    sumOf(before, barsBefore),
    ...linesBefore.map((key) => before?.[key] ?? null),
  ]);
  return heights.reduce<number>((top, height) => Math.max(top, height ?? 0), 0);
}

/**
 * Round values from 0 up to the first that is not below `top`: about `count` of them (at most one more or less), those
 * that leave the least room above it.
 */
export function valueTicks(top: number, count: number, whole: boolean): readonly number[] {
  if (!(top > 0)) return Array.from({ length: count }, (_, index) => index);
  const scales = [count - 1, count, count - 2]
    .filter((gaps) => gaps > 1)
    .map((gaps) => ({ gaps, step: roundStep(top / gaps, whole) }))
    .map(({ gaps, step }) => ({ gaps: Math.max(1, Math.min(gaps, Math.ceil(round(top / step)))), step }));
  const best = scales.reduce((one, other) => (other.step * other.gaps < one.step * one.gaps ? other : one));
  return Array.from({ length: best.gaps + 1 }, (_, index) => round(index * best.step));
}

/** The least round number that is not below `least`. */
function roundStep(least: number, whole: boolean): number {
  const unit = 10 ** Math.floor(Math.log10(least));
  const steps = [...STEPS, ...STEPS.map((step) => 10 * step)].map((step) => round(step * unit));
  const first = steps.find((step) => step >= round(least) && (!whole || Number.isInteger(step)));
  return first ?? Math.ceil(least);
}

/** Without what binary fractions leave behind (0.30000000000000004). */
function round(value: number): number {
  return Number(value.toPrecision(12));
}
