'use client';

import { useTranslations } from 'use-intl';
import type { RoutingState } from '#lib/contract/models.ts';
import { AskingToggle } from './asking-toggle.tsx';

type Props = { readonly state: RoutingState; readonly describedBy: string };

/** Turns cache-fit admission on and off; asks first where that lets turns go that wait. */
export function CacheFitSwitch({ state, describedBy }: Props) {
  const t = useTranslations('model.routing.cacheFit');
  const { held } = state.admission;
  return (
    <AskingToggle
      model={state.model}
      setting="cache_fit"
      checked={state.cache_fit}
      label={t('label')}
      describedBy={describedBy}
      question={{ title: t('ask'), text: t('askWhy', { held }), confirm: t('confirm') }}
      asksFirst={held > 0}
    />
  );
}
