'use client';

import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Pill } from '#components/ui/pill.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { Tip } from '#components/ui/tip.tsx';
import type { RoutingState } from '#lib/contract/models.ts';
import { ThresholdEditor } from './threshold-editor.tsx';

/** The labels on top of the card; the spill threshold opens its editor. */
export function RoutingLabels({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.routing.glance');
  const { exact, percent } = useFormat();
  const [editing, setEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(false);
    opener.current?.focus();
  };
  const threshold = { value: exact(state.spill_threshold) };
  const { sticky_percent: sticky, in_flight: inFlight } = state.totals;
  return (
    <div className="border-line border-b px-4 py-3">
      <ul aria-label={t('label')} className="flex flex-wrap items-center gap-2">
        <li>
          <Pill tone={state.affinity ? 'accent' : 'warn'}>{t(state.affinity ? 'affinityOn' : 'affinityOff')}</Pill>
        </li>
        <li className="inline-flex items-center">
          <Tip text={t('editThreshold')}>
            <button
              ref={opener}
              type="button"
              aria-expanded={editing}
              onClick={() => setEditing(!editing)}
              className="inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full border border-line-strong px-2.5 font-medium text-ink text-xs tabular-nums hover:bg-hover"
            >
              {t(state.spill_threshold_source === 'auto' ? 'thresholdAuto' : 'thresholdSet', threshold)}
              <span className="sr-only">{t('edit')}</span>
              <Pencil aria-hidden="true" className="size-3 text-muted" />
            </button>
          </Tip>
        </li>
        <li>
          <Pill>
            {t.rich('sticky', {
              share: () => <Reported value={sticky} format={percent} why={t('stickyWhy')} />,
            })}
          </Pill>
        </li>
        <li>
          <Pill>{t('inFlight', { count: exact(inFlight) })}</Pill>
        </li>
        <CacheFitLabels state={state} />
        {state.simulated ? (
          <li>
            <Pill tone="warn">{t('simulated')}</Pill>
          </li>
        ) : null}
      </ul>
      {editing ? <ThresholdEditor state={state} onClose={close} /> : null}
    </div>
  );
}

function CacheFitLabels({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.routing.glance');
  const { seconds } = useFormat();
  const { mode, held, longest_wait_seconds: longest } = state.admission;
  return (
    <>
      <li>
        <Pill tone={mode === 'holding' ? 'accent' : 'plain'}>
          {t(mode === 'holding' ? 'cacheFitOn' : 'cacheFitOff')}
        </Pill>
      </li>
      {held > 0 ? (
        <li>
          <Pill tone="warn">
            {longest === null ? t('held', { held }) : t('heldLongest', { held, wait: seconds(longest) })}
          </Pill>
        </li>
      ) : null}
    </>
  );
}
