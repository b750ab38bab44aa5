import { useCursorTime } from './cursor.ts';
import type { ChartPoint, ChartSeries } from './series.ts';

type Props = { readonly series: ChartSeries | undefined; readonly points: readonly ChartPoint[] };

/** A series' value where the page's cursor is; without one, that of the last complete bucket. */
export function ValueAt({ series, points }: Props) {
  const time = useCursorTime();
  if (series === undefined) return null;
  const point =
    (time === null ? undefined : points.find((one) => one.time === time)) ?? points.findLast(({ filling }) => !filling);
  const value = point?.values[series.key] ?? null;
  return <span className="text-ink">{value === null ? '—' : series.format(value)}</span>;
}
