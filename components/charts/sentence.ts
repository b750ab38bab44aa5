import type { ChartPoint, ChartSeries } from './series.ts';

type Words = {
  readonly of: (values: { title: string; over: string; what: string }) => string;
  readonly between: (values: { name: string; least: string; most: string }) => string;
  readonly nothing: (values: { title: string; over: string }) => string;
};

/** A plot in one sentence, for those who do not see it: between what each of its series was. */
export function sentenceOf(
  shown: { readonly title: string; readonly over: string; readonly series: readonly ChartSeries[] },
  points: readonly ChartPoint[],
  words: Words,
): string {
  const { title, over, series } = shown;
  const parts = series.flatMap(({ key, label, format }) => {
    const values = points.map((point) => point.values[key] ?? null).filter((value) => value !== null);
    if (values.length === 0) return [];
    return [words.between({ name: label, least: format(Math.min(...values)), most: format(Math.max(...values)) })];
  });
  return parts.length === 0 ? words.nothing({ title, over }) : words.of({ title, over, what: parts.join('; ') });
}
