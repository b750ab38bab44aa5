'use client';

import { useCallback } from 'react';
import { SeriesPanel } from '#components/charts/series-panel.tsx';
import { SERIES, useSeries } from '#components/data/series-queries.ts';
import type { DecisionSeries, ErrorSeries } from '#lib/contract/series.ts';
import { drawDecisions, drawErrors } from './draw-endings.ts';
import { PANEL_HEIGHT } from './heights.ts';
import type { PanelProps } from './panel-props.ts';
import { useWords } from './words.ts';

/** Why requests went where they went. */
export function DecisionsPanel(props: PanelProps) {
  const { asked } = props;
  const words = useWords();
  const { current, before } = useSeries(SERIES.decisions, asked);
  const draw = useCallback(
    (data: DecisionSeries) => {
      const { isEmpty, ...drawn } = drawDecisions(data, words);
      return { ...drawn, empty: isEmpty ? { title: words.t('noRequest', { over: words.over(data) }) } : null };
    },
    [words],
  );
  return (
    <SeriesPanel
      {...props}
      over={words.over}
      title={words.t('decisions.title')}
      name="decisions"
      query={current}
      before={before}
      draw={draw}
      height={PANEL_HEIGHT}
    />
  );
}

/** Requests that ended ill, and with which status. */
export function ErrorsPanel(props: PanelProps) {
  const { asked } = props;
  const words = useWords();
  const { t, format } = words;
  const { current, before } = useSeries(SERIES.errors, asked);
  const draw = useCallback(
    (data: ErrorSeries) => {
      const { isEmpty, ...drawn } = drawErrors(data, words);
      const title = words.t(data.totals.requests === 0 ? 'noRequest' : 'errors.none', { over: words.over(data) });
      const children =
        data.totals.requests === 0
          ? null
          : words.t('errors.allWell', {
              count: data.totals.requests,
              requests: words.format.exact(data.totals.requests),
            });
      return { ...drawn, empty: isEmpty ? { title, children } : null };
    },
    [words],
  );
  return (
    <SeriesPanel
      {...props}
      over={words.over}
      title={t('errors.title')}
      name="errors"
      query={current}
      before={before}
      draw={draw}
      height={PANEL_HEIGHT}
    >
      {({ statuses }) =>
        statuses.length === 0 ? null : (
          <ul aria-label={t('errors.byStatus')} className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-muted text-xs">
            {statuses.slice(0, MOST_STATUSES).map(({ kind, status, requests }) => (
              <li key={`${kind} ${status}`} className="tabular-nums">
                {t(`errors.${kind}`)}, {t('errors.status', { status: String(status) })}:{' '}
                <span className="font-medium text-ink">{format.exact(requests)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </SeriesPanel>
  );
}

const MOST_STATUSES = 12;
