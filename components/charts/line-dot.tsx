import type { DotItemDotProps } from 'recharts';
import type { Marker } from './palette.ts';

/** Shapes of about eight pixels around 0, 0. */
const SHAPES: Readonly<Record<Marker, string>> = {
  circle: 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z',
  square: 'M-3 -3h6v6h-6Z',
  triangle: 'M0 -4l4 7h-8Z',
  diamond: 'M0 -4.5l4 4.5l-4 4.5l-4 -4.5Z',
  cross: 'M-4 -2.5l1.5 -1.5l2.5 2.5l2.5 -2.5l1.5 1.5l-2.5 2.5l2.5 2.5l-1.5 1.5l-2.5 -2.5l-2.5 2.5l-1.5 -1.5l2.5 -2.5Z',
  plus: 'M-1 -4h2v3h3v2h-3v3h-2v-3h-3v-2h3Z',
  star: 'M0 -4.5l1.2 3.2h3.2l-2.6 2l1 3.3l-2.8 -2l-2.8 2l1 -3.3l-2.6 -2h3.2Z',
  bar: 'M-1.2 -4.5h2.4v9h-2.4Z',
};

/** A marker stands on about so many points of a line. */
const MARKED = 8;

/** The outline of a marker, for the legend too. */
export function markerPath(marker: Marker): string {
  return SHAPES[marker];
}

/**
 * Draws a line's dots: its marker on a few points, each line on other ones than the line before, and a small dot where a
 * value has no neighbour to be joined with.
 */
export function lineDot(values: readonly (number | null)[], index: number, marker: Marker | undefined) {
  const step = Math.max(1, Math.floor(values.length / MARKED));
  const phase = (index * 2 + 1) % step;
  return ({ cx, cy, index: at, stroke }: DotItemDotProps) => {
    if (values[at] === null || values[at] === undefined || cx === undefined || cy === undefined) return null;
    const alone = (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null;
    if (marker !== undefined && at % step === phase) {
      return <path key={at} d={SHAPES[marker]} transform={`translate(${cx} ${cy})`} fill={stroke} stroke="none" />;
    }
    return alone ? <circle key={at} cx={cx} cy={cy} r={2.2} fill={stroke} stroke="none" /> : null;
  };
}
