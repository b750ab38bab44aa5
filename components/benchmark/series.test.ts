import { describe, expect, it } from 'vitest';
import { distributionPoints, logTicks, stepPoints } from './series.ts';
import type { StepRow } from './steps.ts';

const row = (policy: string, sessions: number, p50: number | null): StepRow => ({
  policy,
  sessions,
  sessions_per_hour: null,
  output_tokens_per_minute: null,
  ttfb_p50_seconds: p50,
  ttfb_p95_seconds: null,
  replicas_busy: null,
  prefix_hit_percent: null,
  stayed_percent: null,
});

const NONE = { off: null, on: null, fit: null, otherOff: null, otherOn: null, otherFit: null };

describe('a figure over numbers of sessions', () => {
  it('has every number that either of the two measured, in order', () => {
    const own = [row('affinity', 8, 0.4), row('off', 8, 2), row('off', 4, null), row('cache-fit', 8, 0.3)];
    const other = [row('off', 32, 12), row('affinity', 8, 0.5)];
    expect(stepPoints(own, other, (one) => one.ttfb_p50_seconds)).toEqual([
      { x: 4, ...NONE },
      { x: 8, ...NONE, off: 2, on: 0.4, fit: 0.3, otherOn: 0.5 },
      { x: 32, ...NONE, otherOff: 12 },
    ]);
  });
});

describe('a distribution', () => {
  it('gives the time that a share of the turns did not exceed', () => {
    const points = distributionPoints({ off: [1, 2, 3, 4], on: [], fit: [] });
    expect(points[24]).toMatchObject({ x: 25, off: 1, on: null });
    expect(points[25]).toMatchObject({ x: 26, off: 2 });
    expect(points.at(-1)).toMatchObject({ x: 99, off: 4 });
  });
});

describe('ticks of a logarithmic axis', () => {
  it.each([
    [
      [0.38, 2.05],
      [0.2, 0.5, 1, 2, 5],
    ],
    [
      [0.1, 10],
      [0.1, 0.2, 0.5, 1, 2, 5, 10],
    ],
    [
      [0.12, 82.8],
      [0.1, 1, 10, 100],
    ],
    [[2], [2, 5]],
    [[0.04], [0.02, 0.05]],
    [[], [0.1, 1]],
  ])('%j lie within %j', (values, ticks) => {
    expect(logTicks(values)).toEqual(ticks);
  });
});
