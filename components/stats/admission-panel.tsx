'use client';

import { useCallback } from 'react';
import { SeriesPanel } from '#components/charts/series-panel.tsx';
import { SERIES, useSeries } from '#components/data/series-queries.ts';
import type { AdmissionSeries } from '#lib/contract/series.ts';
import { drawAdmission } from './draw-admission.ts';
import { ADMISSION_HEIGHT } from './heights.ts';
import type { PanelProps } from './panel-props.ts';
import { useWords } from './words.ts';

/** What cache-fit admission held back, for how long, and which conversations gave up their place. */
export function AdmissionPanel(props: PanelProps) {
  const { asked } = props;
  const words = useWords();
  const { current, before } = useSeries(SERIES.admission, asked);
  const draw = useCallback(
    (data: AdmissionSeries) => {
      const { isEmpty, ...drawn } = drawAdmission(data, words);
      const empty = {
        title: words.t('admission.none', { over: words.over(data) }),
        children: words.t('admission.noneWhy'),
      };
      return { ...drawn, empty: isEmpty ? empty : null };
    },
    [words],
  );
  return (
    <SeriesPanel
      {...props}
      over={words.over}
      title={words.t('admission.title')}
      name="admission"
      query={current}
      before={before}
      draw={draw}
      height={ADMISSION_HEIGHT}
    />
  );
}
