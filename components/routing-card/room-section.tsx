'use client';

import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { TextLink } from '#components/ui/text-link.tsx';
import { Tip } from '#components/ui/tip.tsx';
import type { RoutingState } from '#lib/contract/models.ts';
import { FitRuleView } from './fit-rule.tsx';
import { RoomLegend, RoomMeter } from './room-meter.tsx';
import { YieldEditor } from './yield-editor.tsx';

type Props = { readonly state: RoutingState; readonly aboutId: string };

/** Whether the conversations of each replica fit its cache, who waits for room, and what to change. */
export function RoomSection({ state, aboutId }: Props) {
  const t = useTranslations('model.routing.cacheFit');
  const { admission } = state;
  const isKnown = admission.replicas.every((room) => room.capacity_tokens !== null);
  return (
    <section aria-label={t('title')} className="border-line border-t px-4 py-3.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="font-semibold">{t('title')}</h3>
        {admission.mode === 'inactive' ? null : <RoomLegend />}
      </div>
      <p id={aboutId} className="mt-1 max-w-[90ch] text-muted">
        <About state={state} />
      </p>
      {admission.mode === 'inactive' ? null : (
        <>
          {isKnown ? null : <p className="mt-2 max-w-[90ch] text-warn">{t('capacityUnknown')}</p>}
          <div className="mt-3 grid gap-x-8 gap-y-4 lg:grid-cols-2">
            <ul aria-label={t('meters')} className="grid content-start gap-x-6 gap-y-3 sm:grid-cols-2">
              {admission.replicas.map((room) => (
                <RoomMeter key={room.replica} room={room} />
              ))}
            </ul>
            <FitRuleView admission={admission} />
          </div>
        </>
      )}
      {admission.mode === 'holding' ? <Yields state={state} /> : null}
    </section>
  );
}

/** What cache-fit does now, or would do. */
function About({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.routing.cacheFit');
  const { seconds } = useFormat();
  const { mode, held, longest_wait_seconds: longest, held_total, displaced_total, left_total, rule } = state.admission;
  if (mode === 'inactive') return t('inactive');
  if (mode === 'watching') {
    return t(rule.fits === null ? 'off.unknown' : rule.fits ? 'off.fits' : 'off.tooMany');
  }
  const held_href = `/sessions?model=${encodeURIComponent(state.model)}&state=held`;
  const now =
    held === 0
      ? t('on.nobody')
      : t.rich('on.waiting', {
          held,
          wait: seconds(longest ?? 0),
          link: (words) => <TextLink href={held_href}>{words}</TextLink>,
        });
  return (
    <>
      {now} {t('on.since', { held: held_total, displaced: displaced_total, left: left_total })}
    </>
  );
}

function Yields({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.routing');
  const { seconds } = useFormat();
  const [editing, setEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const { yield_after_seconds: after, yield_after_setting: setting } = state.admission;
  const close = () => {
    setEditing(false);
    opener.current?.focus();
  };
  return (
    <div className="mt-3.5">
      <Tip text={t('cacheFit.yields.edit')}>
        <button
          ref={opener}
          type="button"
          aria-expanded={editing}
          onClick={() => setEditing(!editing)}
          className="inline-flex min-h-6 items-center gap-1.5 rounded-full border border-line-strong px-2.5 text-left font-medium text-ink text-xs tabular-nums hover:bg-hover"
        >
          {t('cacheFit.yields.open', { time: seconds(after), how: setting === 'auto' ? 'auto' : 'set' })}
          <span className="sr-only">{t('glance.edit')}</span>
          <Pencil aria-hidden="true" className="size-3 text-muted" />
        </button>
      </Tip>
      {editing ? <YieldEditor state={state} onClose={close} /> : null}
    </div>
  );
}
