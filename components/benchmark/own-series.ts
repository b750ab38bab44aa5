import { COLORS, PALETTE } from '#components/charts/palette.ts';
import type { Other } from './other.ts';
import type { SeriesEntry } from './policy-chart.tsx';
import { hasCacheFit, type StepRow } from './steps.ts';
import type { Words } from './words.ts';

const OTHER_LINE = '4 3';

/** The series of a run itself. */
export function ownSeries(rows: readonly Pick<StepRow, 'policy'>[], { t }: Words): SeriesEntry[] {
  return [
    ...(hasCacheFit(rows)
      ? [{ key: 'fit', label: t('series.fit'), color: COLORS[2], line: '', marker: 'square' } as const]
      : []),
    { key: 'on', label: t('series.on'), color: PALETTE.accent, line: '', marker: 'circle' },
    { key: 'off', label: t('series.off'), color: PALETTE.muted, line: '', marker: 'diamond' },
  ];
}

/** The series of what it is compared with. */
export function otherSeries(other: Other, { t }: Words): SeriesEntry[] {
  const { name, rows } = other;
  if (rows.length === 0) return [];
  return [
    ...(hasCacheFit(rows)
      ? [
          {
            key: 'otherFit',
            label: t('otherSeries.fit', { name }),
            color: COLORS[2],
            line: OTHER_LINE,
            marker: 'square',
          } as const,
        ]
      : []),
    { key: 'otherOn', label: t('otherSeries.on', { name }), color: PALETTE.accent, line: OTHER_LINE, marker: 'circle' },
    {
      key: 'otherOff',
      label: t('otherSeries.off', { name }),
      color: PALETTE.muted,
      line: OTHER_LINE,
      marker: 'diamond',
    },
  ];
}
