import type { Marker } from './palette.ts';

/** Key of the period before in the legend. Here, since the chart itself is loaded later than its legend. */
export const BEFORE = 'before';

/** One series of a chart. */
export type ChartSeries = {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  /** `bar`: stacked on the bars before it; `none`: in the table and the tooltip only. */
  readonly look: 'bar' | 'line' | 'none';
  /** Dash array of a line; empty for a solid one. */
  readonly line?: string;
  readonly marker?: Marker;
  /** Drawn for the period before too, where that is compared; of stacked bars their sum is. */
  readonly overlay?: boolean;
  /** The column's name in the CSV file, with its unit. */
  readonly column: string;
  readonly unit?: string;
  readonly format: (value: number) => string;
};

/** One instant: what each series had; null where it is not known. */
export type ChartPoint = {
  /** Start of the bucket, ms since the epoch. */
  readonly time: number;
  /** The bucket has not ended. */
  readonly filling: boolean;
  readonly values: Readonly<Record<string, number | null>>;
  /** The same bucket of the period before; null where that is not compared. */
  readonly before: Readonly<Record<string, number | null>> | null;
};

/** Joins the points of a period with those of the period before, which has as many. */
export function withBefore(points: readonly ChartPoint[], before: readonly ChartPoint[] | null): readonly ChartPoint[] {
  if (before === null) return points;
  return points.map((point, index) => ({ ...point, before: before[index]?.values ?? null }));
}

type Answer<T> = { readonly data: T | undefined; readonly isPlaceholderData: boolean };

/**
 * The answer for the period before, where it belongs to the one that is shown. While another window or model is waited
 * for, each of the two still shows the one before it, and they do not come together.
 */
export function matching<T extends { readonly bucket_seconds: number }>(
  current: Answer<T>,
  before: Answer<T> | null,
): T | null {
  if (before?.data === undefined || before.isPlaceholderData !== current.isPlaceholderData) return null;
  return before.data.bucket_seconds === current.data?.bucket_seconds ? before.data : null;
}

/** The sum of the known values of some series at a point; null where none is known. */
export function sumOf(values: ChartPoint['before'], keys: readonly string[]): number | null {
  const known = keys.map((key) => values?.[key] ?? null).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
