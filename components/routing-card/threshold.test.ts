import { describe, expect, it } from 'vitest';
import { replicaRouting } from './replica-for-tests.ts';
import { overThreshold, parseThreshold, roundingOf } from './threshold.ts';

describe('parseThreshold', () => {
  it.each(['0', '-3', '2.5', 'eight'])('refuses %j as no whole number from 1', (text) => {
    expect(parseThreshold(text)).toEqual({ problem: 'notWhole' });
  });

  it.each(['', ' '])('takes %j as not given', (text) => {
    expect(parseThreshold(text)).toEqual({ problem: 'empty' });
  });

  it('takes whole numbers from 1', () => {
    expect(parseThreshold('1')).toEqual({ value: 1 });
  });
});

it.each([
  [32, null],
  [30, 'roundedDown'],
  [2, 'atLeastOne'],
])('a quarter of %i is rounded: %s', (sequences, expected) => {
  expect(roundingOf(sequences)).toBe(expected);
});

it('finds the replicas that are at or over a threshold', () => {
  const replicas = [7, 8, 12].map((inFlight, index) => replicaRouting(index, { in_flight: inFlight }));
  expect(overThreshold(8, replicas).map(({ replica }) => replica)).toEqual([1, 2]);
});
