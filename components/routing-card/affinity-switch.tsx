'use client';

import { useTranslations } from 'use-intl';
import type { RoutingState } from '#lib/contract/models.ts';
import { AskingToggle } from './asking-toggle.tsx';

/** Turns affinity on and off; asks first where conversations would leave their caches. */
export function AffinitySwitch({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.routing.affinity');
  const sessions = state.replicas.reduce((sum, replica) => sum + replica.live_sessions, 0);
  const { held } = state.admission;
  const isEnginesChoice = state.replicas.some((replica) => replica.rank !== null);
  const text = (
    <>
      <p>{t(isEnginesChoice ? 'engine' : 'queue', { sessions })}</p>
      {held > 0 ? <p className="mt-2">{t('held', { held })}</p> : null}
    </>
  );
  return (
    <AskingToggle
      model={state.model}
      setting="affinity"
      checked={state.affinity}
      label={t('label')}
      question={{ title: t('ask'), text, confirm: t('confirm') }}
      asksFirst={sessions > 0}
    />
  );
}
