'use client';

import { useCallback } from 'react';
import { type Drawn, SeriesPanel } from '#components/charts/series-panel.tsx';
import { SERIES, useSeries } from '#components/data/series-queries.ts';
import type { ReplicaSeries } from '#lib/contract/series.ts';
import { drawLoad, drawReplicas, type ReplicaColumn } from './draw-replicas.ts';
import { PANEL_HEIGHT } from './heights.ts';
import type { PanelProps } from './panel-props.ts';
import { useWords, type Words } from './words.ts';

const NAMES = { kv_cache_usage_percent: 'kv', prefix_cache_hit_percent: 'hits' } as const;

/** A share of each replica over the window, by its engine's own numbers. */
export function ReplicaPanel({ column, ...props }: PanelProps & { readonly column: ReplicaColumn }) {
  const { asked } = props;
  const words = useWords();
  const { current, before } = useSeries(SERIES.replicas, asked);
  const draw = useCallback(
    (data: ReplicaSeries): Drawn => {
      const drawn = drawReplicas(data, column, words);
      const known = data.replicas.some((replica) => replica[column].some((value) => value !== null));
      return { ...drawn, empty: known ? null : whyEmpty(data, column, words) };
    },
    [column, words],
  );
  return (
    <SeriesPanel
      {...props}
      over={words.over}
      title={words.t(`replicas.${NAMES[column]}`)}
      name={NAMES[column]}
      query={current}
      before={before}
      draw={draw}
      height={PANEL_HEIGHT}
    />
  );
}

/** Requests running and waiting in the engines. */
export function LoadPanel(props: PanelProps) {
  const { asked } = props;
  const words = useWords();
  const { current, before } = useSeries(SERIES.replicas, asked);
  const draw = useCallback(
    (data: ReplicaSeries): Drawn => {
      const known = data.requests_running.some((value) => value !== null);
      return { ...drawLoad(data, words), empty: known ? null : whyEmpty(data, 'requests_running', words) };
    },
    [words],
  );
  return (
    <SeriesPanel
      {...props}
      over={words.over}
      title={words.t('load.title')}
      name="load"
      query={current}
      before={before}
      draw={draw}
      height={PANEL_HEIGHT}
    />
  );
}

/** No reading at all, an engine that does not tell, or nothing that it could have told. */
function whyEmpty(data: ReplicaSeries, column: string, words: Words): Drawn['empty'] {
  const { replicas } = data;
  const { t } = words;
  if (replicas.length === 0) return { title: t('noReading', { over: words.over(data) }), children: t('noReadingWhy') };
  const silent = replicas.every(({ not_reported }) => not_reported.includes(column));
  return silent ? { title: t('notReportedByEngine') } : { title: t('noPrompt', { over: words.over(data) }) };
}
