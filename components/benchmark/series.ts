import { type Step, type StepRow, stepsOf } from './steps.ts';

/** One place on the x axis of a figure: each setting of the run, and of what it is compared with. */
export type Point = {
  readonly x: number;
  readonly off: number | null;
  readonly on: number | null;
  readonly fit: number | null;
  readonly otherOff: number | null;
  readonly otherOn: number | null;
  readonly otherFit: number | null;
};

/** A figure over the numbers of sessions of both. */
export function stepPoints(
  rows: readonly StepRow[],
  other: readonly StepRow[],
  value: (row: StepRow) => number | null,
): Point[] {
  const own = new Map(stepsOf(rows).map((step) => [step.sessions, step]));
  const others = new Map(stepsOf(other).map((step) => [step.sessions, step]));
  const read = (step: Step | undefined, setting: 'off' | 'on' | 'fit') => {
    const row = step?.[setting];
    return row === undefined ? null : value(row);
  };
  return [...new Set([...own.keys(), ...others.keys()])]
    .sort((a, b) => a - b)
    .map((sessions) => {
      const [mine, theirs] = [own.get(sessions), others.get(sessions)];
      return {
        x: sessions,
        off: read(mine, 'off'),
        on: read(mine, 'on'),
        fit: read(mine, 'fit'),
        otherOff: read(theirs, 'off'),
        otherOn: read(theirs, 'on'),
        otherFit: read(theirs, 'fit'),
      };
    });
}

const PERCENTS = Array.from({ length: 99 }, (_, n) => n + 1);

/** Times to first byte of each setting, in ascending order. */
type Waits = { readonly off: readonly number[]; readonly on: readonly number[]; readonly fit: readonly number[] };

/** Times to first byte by how many percent of the turns were at least that fast. */
export function distributionPoints({ off, on, fit }: Waits): Point[] {
  return PERCENTS.map((percent) => ({
    x: percent,
    off: atPercent(off, percent),
    on: atPercent(on, percent),
    fit: atPercent(fit, percent),
    otherOff: null,
    otherOn: null,
    otherFit: null,
  }));
}

function atPercent(sorted: readonly number[], percent: number): number | null {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
}

/** Ticks 1, 2, 5, 10, … around all values, for a logarithmic axis; fewer where they span a lot. */
export function logTicks(values: readonly number[]): number[] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [0.1, 1];
  const least = Math.min(...positive);
  const most = Math.max(...positive);
  const wide = Math.log10(most / least) > 2.5;
  const steps = wide ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++) {
    for (const step of steps) ticks.push(Number((step * 10 ** power).toPrecision(1)));
  }
  const first = ticks.findLastIndex((tick) => tick <= least);
  const last = ticks.findIndex((tick) => tick >= most);
  return ticks.slice(Math.max(0, first), last < 0 ? ticks.length : Math.max(last, first + 1) + 1);
}
