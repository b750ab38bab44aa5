'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRoutingChange } from '#components/data/changes.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useFormat } from '#components/language/use-format.ts';
import type { RoutingState } from '#lib/contract/models.ts';
import { AutoOrNumber, type Draft } from './auto-or-number.tsx';
import { SettingForm } from './setting-form.tsx';
import { overThreshold, parseThreshold, roundingOf } from './threshold.ts';

type Props = { readonly state: RoutingState; readonly onClose: () => void };

/** Auto with its arithmetic, or a number; says what it would do to the requests in flight now. */
export function ThresholdEditor({ state, onClose }: Props) {
  const t = useTranslations('model.routing.threshold');
  const { exact } = useFormat();
  const words = useFailureWords();
  const change = useRoutingChange(state.model);
  const [draft, setDraft] = useState<Draft>(() => ({
    mode: state.spill_threshold_source === 'auto' ? 'auto' : 'fixed',
    text: String(state.spill_threshold),
  }));
  const chosen = draft.mode === 'auto' ? { value: state.spill_threshold_auto } : parseThreshold(draft.text);
  const over = 'problem' in chosen ? [] : overThreshold(chosen.value, state.replicas);
  const effect = () => {
    if ('problem' in chosen) return '';
    if (over.length === 0) return t('nothingSpills', { threshold: exact(chosen.value) });
    const named = over.map(({ replica, in_flight }) =>
      t('over', { replica: String(replica), count: exact(in_flight) }),
    );
    return t('wouldSpill', { replicas: named.join(', ') });
  };
  return (
    <SettingForm
      label={t('label')}
      about={t('about')}
      canSave={!('problem' in chosen)}
      isSaving={change.isPending}
      onSave={() => {
        if ('problem' in chosen) return;
        change.mutate({ spill_threshold: draft.mode === 'auto' ? 'auto' : chosen.value }, { onSuccess: onClose });
      }}
      onClose={onClose}
    >
      <AutoOrNumber
        draft={draft}
        onDraft={setDraft}
        problem={'problem' in chosen ? t(chosen.problem) : change.error ? words(change.error).detail : null}
        words={{ how: t('how'), auto: t('auto'), fixed: t('fixed'), field: t('field') }}
        derivation={<Derivation state={state} />}
      />
      <p aria-live="polite" className="mt-3 min-h-5 text-muted tabular-nums">
        {effect()}
      </p>
    </SettingForm>
  );
}

/** The router's own arithmetic, with its numbers. */
function Derivation({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.routing.threshold');
  const { exact } = useFormat();
  const sequences = state.max_num_seqs ?? state.max_num_seqs_assumed ?? 0;
  const rounded = roundingOf(sequences);
  const values = {
    sequences: exact(sequences),
    rounding: rounded === null ? '' : t(rounded),
    auto: exact(state.spill_threshold_auto),
  };
  if (state.max_num_seqs === null) return t('assumed', values);
  return t(state.max_num_seqs_source === 'config' ? 'fromConfig' : 'fromEngine', values);
}
