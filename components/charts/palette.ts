/** The series' colours, as CSS variables that follow the theme (app/globals.css says how they were chosen). */
export const PALETTE = {
  cached: 'var(--cached)',
  computed: 'var(--computed)',
  completion: 'var(--completion)',
  accent: 'var(--accent)',
  muted: 'var(--muted)',
  line: 'var(--line)',
} as const;

/** Eight colours for things of one kind, told apart with any colour vision (scripts/chart-colors.test.ts measures that). */
export const COLORS = [
  'var(--series-0)',
  'var(--series-1)',
  'var(--series-2)',
  'var(--series-3)',
  'var(--series-4)',
  'var(--series-5)',
  'var(--series-6)',
  'var(--series-7)',
] as const;

/** Dashes and shapes, so that lines differ without their colours; more than eight series differ by these. */
const DASHES = ['', '6 3', '2 2', '8 3 2 3', '12 3', '4 2 1 2', '1 3', '10 2 2 2 2 2'] as const;
const MARKERS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'plus', 'star', 'bar'] as const;
export type Marker = (typeof MARKERS)[number];

/** How the line of the `index`th thing of a kind looks. */
export function lineLook(index: number): { readonly color: string; readonly line: string; readonly marker: Marker } {
  const place = index % COLORS.length;
  // A second round of colours gets the dashes and shapes in another order.
  const shifted = (index + 3 * Math.floor(index / COLORS.length)) % COLORS.length;
  return { color: COLORS[place] ?? COLORS[0], line: DASHES[shifted] ?? '', marker: MARKERS[shifted] ?? 'circle' };
}
