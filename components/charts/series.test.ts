import { describe, expect, it } from 'vitest';
import { lineLook } from './palette.ts';
import { sentenceOf } from './sentence.ts';
import { type ChartPoint, matching, sumOf, withBefore } from './series.ts';

const point = (time: number, values: ChartPoint['values']): ChartPoint => ({
  time,
  filling: false,
  values,
  before: null,
});

describe('withBefore', () => {
  it('puts each bucket of the period before beside the one in its place', () => {
    const points = [point(100, { a: 1 }), point(200, { a: 2 })];
    const joined = withBefore(points, [point(10, { a: 7 }), point(20, { a: null })]);
    expect(joined.map(({ time, before }) => [time, before?.a])).toEqual([
      [100, 7],
      [200, null],
    ]);
  });

  it('leaves the points as they are where nothing is compared', () => {
    const points = [point(100, { a: 1 })];
    expect(withBefore(points, null)).toBe(points);
  });
});

describe('matching', () => {
  const hour = { bucket_seconds: 60 };
  const quarter = { bucket_seconds: 15 };
  const own = <T>(data: T) => ({ data, isPlaceholderData: false });
  const old = <T>(data: T) => ({ data, isPlaceholderData: true });

  it('gives the period before that was asked for with the one that is shown', () => {
    expect(matching(own(hour), own(hour))).toBe(hour);
    // Both still show the window before.
    expect(matching(old(hour), old(hour))).toBe(hour);
  });

  it.each([
    ['of another window, while its own is waited for', own(hour), old(hour)],
    ['of the new window beside the one before', old(hour), own(hour)],
    ['with bars of another width', old(hour), old(quarter)],
    ['that is not there', own(hour), { data: undefined, isPlaceholderData: false }],
    ['that is not compared', own(hour), null],
  ])('gives none %s', (_, current, before) => {
    expect(matching(current, before)).toBeNull();
  });
});

describe('sumOf', () => {
  it('adds what is known, and knows nothing where nothing is', () => {
    expect(sumOf({ a: 1, b: null, c: 3 }, ['a', 'b', 'c'])).toBe(4);
    expect(sumOf({ a: null }, ['a', 'b'])).toBeNull();
    expect(sumOf(null, ['a'])).toBeNull();
  });
});

describe('lineLook', () => {
  it('gives 64 replicas no two lines alike, and the first eight eight colours, dashes and markers', () => {
    const looks = Array.from({ length: 64 }, (_, index) => lineLook(index));
    expect(new Set(looks.map(({ color, line, marker }) => `${color} ${line} ${marker}`)).size).toBe(64);
    const first = looks.slice(0, 8);
    for (const of of ['color', 'line', 'marker'] as const) expect(new Set(first.map((look) => look[of])).size).toBe(8);
  });
});

describe('sentenceOf', () => {
  const words = {
    of: ({ title, over, what }: Record<'title' | 'over' | 'what', string>) => `${title}, ${over}: ${what}`,
    between: ({ name, least, most }: Record<'name' | 'least' | 'most', string>) => `${name} ${least} to ${most}`,
    nothing: ({ title }: { title: string }) => `${title}: nothing`,
  };
  const series = [
    { key: 'a', label: 'Sticky', color: '', look: 'bar', column: 'a', format: String },
    { key: 'b', label: 'Spilled', color: '', look: 'bar', column: 'b', format: String },
  ] as const;

  it('says between what each series was, and leaves out what was never known', () => {
    const points = [point(1, { a: 4, b: null }), point(2, { a: 2, b: null })];
    expect(sentenceOf({ title: 'Decisions', over: 'the last hour', series }, points, words)).toBe(
      'Decisions, the last hour: Sticky 2 to 4',
    );
    expect(sentenceOf({ title: 'Decisions', over: 'the last hour', series }, [], words)).toBe('Decisions: nothing');
  });
});
