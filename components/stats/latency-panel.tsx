'use client';

import { useCallback } from 'react';
import { SeriesPanel } from '#components/charts/series-panel.tsx';
import { SERIES, useSeries } from '#components/data/series-queries.ts';
import type { LatencySeries } from '#lib/contract/series.ts';
import { drawLatency, type LatencyKind } from './draw-latency.ts';
import { PANEL_HEIGHT } from './heights.ts';
import type { PanelProps } from './panel-props.ts';
import { useWords } from './words.ts';

const NAMES = { ttfb_seconds: 'ttfb', duration_seconds: 'duration' } as const;

/** One of the two times a request takes, over the window. */
export function LatencyPanel({ kind, ...props }: PanelProps & { readonly kind: LatencyKind }) {
  const { asked } = props;
  const words = useWords();
  const { current, before } = useSeries(SERIES.latency, asked);
  const draw = useCallback(
    (data: LatencySeries) => {
      const { isEmpty, ...drawn } = drawLatency(data, kind, words);
      return { ...drawn, empty: isEmpty ? { title: words.t('noRequest', { over: words.over(data) }) } : null };
    },
    [kind, words],
  );
  return (
    <SeriesPanel
      {...props}
      over={words.over}
      title={words.t(`latency.${NAMES[kind]}`)}
      name={NAMES[kind]}
      query={current}
      before={before}
      draw={draw}
      height={PANEL_HEIGHT}
    />
  );
}
