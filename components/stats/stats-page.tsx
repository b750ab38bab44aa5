'use client';

import { ModelPicker } from '#components/data/model-picker.tsx';
import { useEvents } from '#components/data/queries.ts';
import { useModelFilter, useRange } from '#components/data/url-state.ts';
import { Segmented } from '#components/ui/segmented.tsx';
import type { EventList } from '#lib/contract/activity.ts';
import { RANGE_NAMES } from '#lib/series/range.ts';
import { LatencyPanel } from './latency-panel.tsx';
import { RANGE_WORDS } from './range-words.ts';
import { TokensPanel } from './tokens-panel.tsx';

const RANGES = RANGE_NAMES.map((value) => ({ value, label: value, name: capital(RANGE_WORDS[value]) }));

/** Enough to mark a month of switches on the charts. */
const EVENTS = 200;
const NONE: EventList['events'] = [];

/** Tokens and times over a window; the window and the model are in the address. */
export function StatsPage() {
  const [range, setRange] = useRange();
  const [model] = useModelFilter();
  const events = useEvents(model, EVENTS).data?.events ?? NONE;
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segmented label="Time range" value={range} options={RANGES} onChange={(value) => void setRange(value)} />
        <ModelPicker />
      </div>
      <TokensPanel model={model} range={range} events={events} />
      <div className="grid gap-5 xl:grid-cols-2">
        <LatencyPanel title="Time to first byte" kind="ttfb_seconds" model={model} range={range} events={events} />
        <LatencyPanel title="Request duration" kind="duration_seconds" model={model} range={range} events={events} />
      </div>
    </div>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
