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

/** The outline of a marker, on a line and in its legend. */
export function markerPath(marker: Marker): string {
  return SHAPES[marker];
}
