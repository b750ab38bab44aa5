'use client';

import { memo, type ReactNode, useDeferredValue } from 'react';
import { KeyUsage } from '#components/access/key-usage.tsx';
import { LoadingCard } from '#components/charts/chart-card.tsx';
import { WhenSeen } from '#components/charts/when-seen.tsx';
import { useAsked } from '#components/data/asked-window.ts';
import { type Asked, useWindowEvents } from '#components/data/series-queries.ts';
import { WithWords } from '#components/language/with-words.tsx';
import { stats } from '#components/messages/en/stats.ts';
import type { EventList } from '#lib/contract/activity.ts';
import { Changes } from './changes.tsx';
import { ADMISSION_HEIGHT, PANEL_HEIGHT } from './heights.ts';
import { AdmissionPanel, DecisionsPanel, ErrorsPanel, LatencyPanel, LoadPanel, ReplicaPanel } from './later-panels.ts';
import type { PanelProps } from './panel-props.ts';
import { RangeBar } from './range-bar.tsx';
import { TokensPanel } from './tokens-panel.tsx';
import { useWords } from './words.ts';

const NONE: EventList['events'] = [];

/** Everything over time; the window, the model and the comparison are in the address. */
export function StatsPage() {
  return (
    <WithWords english={WORDS}>
      <Content />
    </WithWords>
  );
}

const WORDS = { stats } as const;

function Content() {
  const range = useAsked();
  // The range is chosen at once; what stands below it follows in slices, between which keys and clicks are answered.
  const asked = useDeferredValue(range.asked);
  return (
    <div className="space-y-5">
      <RangeBar {...range} />
      <Panels asked={asked} />
    </div>
  );
}

/** Drawn anew for another window, and not again when the address has caught up with it. */
const Panels = memo(function Panels({ asked }: { readonly asked: Asked }) {
  const { t, over } = useWords();
  const events = useWindowEvents(asked).data?.events ?? null;
  const panel: PanelProps = { asked, events: events ?? NONE, whose: asked.model ?? t('allModels') };
  return (
    <>
      <Changes asked={asked} events={events} />
      <TokensPanel {...panel} />
      <div className="grid gap-5 xl:grid-cols-2">
        <Later title={t('latency.ttfb')} height={PANEL_HEIGHT}>
          <LatencyPanel kind="ttfb_seconds" {...panel} />
        </Later>
        <Later title={t('latency.duration')} height={PANEL_HEIGHT}>
          <LatencyPanel kind="duration_seconds" {...panel} />
        </Later>
        <Later title={t('load.title')} height={PANEL_HEIGHT}>
          <LoadPanel {...panel} />
        </Later>
        <Later title={t('decisions.title')} height={PANEL_HEIGHT}>
          <DecisionsPanel {...panel} />
        </Later>
        <Later title={t('replicas.kv')} height={PANEL_HEIGHT}>
          <ReplicaPanel column="kv_cache_usage_percent" {...panel} />
        </Later>
        <Later title={t('replicas.hits')} height={PANEL_HEIGHT}>
          <ReplicaPanel column="prefix_cache_hit_percent" {...panel} />
        </Later>
        <Later title={t('admission.title')} height={ADMISSION_HEIGHT}>
          <AdmissionPanel {...panel} />
        </Later>
        <Later title={t('errors.title')} height={PANEL_HEIGHT}>
          <ErrorsPanel {...panel} />
        </Later>
      </div>
      <KeyUsage window={asked.window} over={over} note={asked.model === null ? null : t('allModels')} whereUsed />
    </>
  );
});

type LaterProps = { readonly title: string; readonly height: number; readonly children: ReactNode };

function Later({ title, height, children }: LaterProps) {
  return <WhenSeen placeholder={<LoadingCard title={title} height={height + 64} />}>{children}</WhenSeen>;
}
