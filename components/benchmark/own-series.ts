import { PALETTE } from '#components/charts/palette.ts';
import type { SeriesEntry } from './policy-chart.tsx';

/** The two series of a run itself. */
export const OWN_SERIES: readonly SeriesEntry[] = [
  { key: 'on', label: 'Affinity on', color: PALETTE.accent, line: '' },
  { key: 'off', label: 'Affinity off', color: PALETTE.muted, line: '' },
];
