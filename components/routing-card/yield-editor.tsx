'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRoutingChange } from '#components/data/changes.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useFormat } from '#components/language/use-format.ts';
import type { RoutingState } from '#lib/contract/models.ts';
import { AutoOrNumber, type Draft } from './auto-or-number.tsx';
import { SettingForm } from './setting-form.tsx';
import { parseSeconds, SLIDER } from './yield.ts';

type Props = { readonly state: RoutingState; readonly onClose: () => void };

/** How long the first in line waits until others give way: the trade between the median and the tail. */
export function YieldEditor({ state, onClose }: Props) {
  const t = useTranslations('model.routing.cacheFit.yields');
  const { seconds } = useFormat();
  const words = useFailureWords();
  const change = useRoutingChange(state.model);
  const { yield_after_seconds: now, yield_after_setting: setting, max_hold_seconds: most } = state.admission;
  const [draft, setDraft] = useState<Draft>(() => ({
    mode: setting === 'auto' ? 'auto' : 'fixed',
    text: String(Math.round(now)),
  }));
  const chosen = draft.mode === 'auto' ? { value: 'auto' as const } : parseSeconds(draft.text);
  const isBeyond = !('problem' in chosen) && chosen.value !== 'auto' && chosen.value > most;
  return (
    <SettingForm
      label={t('label')}
      about={t('about')}
      canSave={!('problem' in chosen)}
      isSaving={change.isPending}
      onSave={() => {
        if (!('problem' in chosen)) change.mutate({ yield_after_seconds: chosen.value }, { onSuccess: onClose });
      }}
      onClose={onClose}
    >
      <AutoOrNumber
        draft={draft}
        onDraft={setDraft}
        problem={'problem' in chosen ? t(chosen.problem) : change.error ? words(change.error).detail : null}
        words={{ how: t('how'), auto: t('auto'), fixed: t('fixed'), field: t('field') }}
        derivation={setting === 'auto' ? t('autoNow', { time: seconds(now) }) : t('autoAbout')}
      >
        <Trade draft={draft} onDraft={setDraft} />
      </AutoOrNumber>
      <p aria-live="polite" className="min-h-5 text-muted">
        {isBeyond ? t('most', { time: seconds(most) }) : ''}
      </p>
    </SettingForm>
  );
}

type TradeProps = { readonly draft: Draft; readonly onDraft: (draft: Draft) => void };

/** The two ends of the trade, and a slider between them. */
function Trade({ draft, onDraft }: TradeProps) {
  const t = useTranslations('model.routing.cacheFit.yields');
  const { seconds } = useFormat();
  const typed = parseSeconds(draft.text);
  const value = 'problem' in typed ? SLIDER.least : Math.min(SLIDER.most, Math.max(SLIDER.least, typed.value));
  return (
    <div className="basis-full">
      <input
        type="range"
        min={SLIDER.least}
        max={SLIDER.most}
        step={5}
        value={value}
        aria-label={t('slider')}
        aria-valuetext={seconds(value)}
        onChange={(event) => onDraft({ mode: 'fixed', text: event.target.value })}
        className="w-full max-w-xl accent-accent"
      />
      <div className="grid max-w-xl grid-cols-2 gap-4 text-xs">
        <End name={t('shorter')} about={t('short')} />
        <End name={t('longer')} about={t('long')} />
      </div>
    </div>
  );
}

function End({ name, about }: { readonly name: string; readonly about: string }) {
  return (
    <p>
      <span className="block font-medium">{name}</span>
      <span className="block text-muted">{about}</span>
    </p>
  );
}
