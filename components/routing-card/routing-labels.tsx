'use client';

import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { Pill } from '#components/ui/pill.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { Tip } from '#components/ui/tip.tsx';
import type { RoutingState } from '#lib/contract/models.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { ThresholdEditor } from './threshold-editor.tsx';

/** The labels on top of the card; the spill threshold opens its editor. */
export function RoutingLabels({ state }: { readonly state: RoutingState }) {
  const [editing, setEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    opener.current?.focus();
  };
  const auto = state.spill_threshold_source === 'auto';
  return (
    <div className="border-line border-b px-4 py-3">
      <ul aria-label="Routing at a glance" className="flex flex-wrap items-center gap-2">
        <li>
          <Pill tone={state.affinity ? 'accent' : 'warn'}>{state.affinity ? 'Affinity on' : 'Affinity off'}</Pill>
        </li>
        <li className="inline-flex items-center">
          <Tip text="Edit the spill threshold">
            <button
              ref={opener}
              type="button"
              aria-expanded={editing}
              onClick={() => setEditing(!editing)}
              className="inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full border border-line-strong px-2.5 font-medium text-ink text-xs tabular-nums hover:bg-hover"
            >
              Spill threshold {state.spill_threshold} {auto ? '(auto)' : '(set)'}
              <span className="sr-only">, edit</span>
              <Pencil aria-hidden="true" className="size-3 text-muted" />
            </button>
          </Tip>
        </li>
        <li>
          <Pill>
            Sticky{' '}
            <Reported
              value={state.totals.sticky_percent}
              format={formatPercent}
              why="No second turn has been counted yet"
            />
          </Pill>
        </li>
        <li>
          <Pill>In flight {state.totals.in_flight}</Pill>
        </li>
        {state.simulated ? (
          <li>
            <Pill tone="warn">Simulated</Pill>
          </li>
        ) : null}
      </ul>
      {editing ? <ThresholdEditor state={state} onClose={close} /> : null}
    </div>
  );
}
