'use client';

import { useCallback } from 'react';
import { SeriesPanel } from '#components/charts/series-panel.tsx';
import { SERIES, useSeries } from '#components/data/series-queries.ts';
import { TextLink } from '#components/ui/text-link.tsx';
import type { TokenSeries } from '#lib/contract/series.ts';
import { drawTokens, TOKENS_HEIGHT } from './draw-tokens.ts';
import type { PanelProps } from './panel-props.ts';
import { useWords } from './words.ts';

/** How many tokens went through, how much of the prompts the engines had cached, and how much of that was measured. */
export function TokensPanel(props: PanelProps) {
  const { asked } = props;
  const words = useWords();
  const { t } = words;
  const { current, before } = useSeries(SERIES.tokens, asked);
  const draw = useCallback(
    (data: TokenSeries) => {
      const { isEmpty, ...drawn } = drawTokens(data, words);
      const children = (
        <>
          {words.t('tokens.counted')} <TextLink href="/connect">{words.t('connect')}</TextLink>
        </>
      );
      return {
        ...drawn,
        empty: isEmpty ? { title: words.t('noRequest', { over: words.over(data) }), children } : null,
      };
    },
    [words],
  );
  return (
    <SeriesPanel
      {...props}
      over={words.over}
      title={t('tokens.title')}
      name="tokens"
      note={current.data ? <HitShare share={current.data.cache_hit_percent_1h} /> : null}
      query={current}
      before={before}
      draw={draw}
      height={TOKENS_HEIGHT}
    >
      {({ measured_percent }) => <Footnote measured={measured_percent} />}
    </SeriesPanel>
  );
}

function HitShare({ share }: { readonly share: number | null }) {
  const { t, format } = useWords();
  return (
    <span>
      {t.rich('tokens.lastHour', {
        share: share === null ? t('notReported') : format.percent(share, 0),
        b: (text) =>
          share === null ? text : <strong className="font-semibold text-ink text-lg tabular-nums">{text}</strong>,
      })}
    </span>
  );
}

function Footnote({ measured }: { readonly measured: number | null }) {
  const { t, format } = useWords();
  const share =
    measured === null
      ? t('tokens.measuredNone')
      : measured === 0
        ? t('tokens.measuredZero')
        : t('tokens.measuredShare', { share: format.percent(measured, 0) });
  return (
    <p className="mt-2 max-w-4xl text-muted text-xs">
      {t('tokens.cachedMeans')} {share} {t('lastIsPaler')}
    </p>
  );
}
