'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRoutingChange } from '#components/data/changes.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Confirm } from '#components/ui/confirm.tsx';
import { Toggle } from '#components/ui/toggle.tsx';
import type { RoutingState } from '#lib/contract/models.ts';

type Props = { readonly state: RoutingState; readonly describedBy: string };

/** Turns cache-fit admission on and off; asks first where that lets turns go that wait. */
export function CacheFitSwitch({ state, describedBy }: Props) {
  const t = useTranslations('model.routing');
  const words = useFailureWords();
  const change = useRoutingChange(state.model);
  const [asking, setAsking] = useState(false);
  const { held } = state.admission;
  const wished = change.isPending ? change.variables.cache_fit : undefined;
  const choose = (cacheFit: boolean) => {
    if (!cacheFit && held > 0) setAsking(true);
    else change.mutate({ cache_fit: cacheFit });
  };
  return (
    <>
      {change.error ? (
        <p role="alert" className="text-bad">
          {t('notChanged', { why: words(change.error).detail })}
        </p>
      ) : null}
      <Toggle
        label={t('cacheFit.label')}
        checked={wished ?? state.cache_fit}
        busy={change.isPending}
        describedBy={describedBy}
        onChange={choose}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('cacheFit.ask')}
        description={t('cacheFit.askWhy', { held })}
        confirm={t('cacheFit.confirm')}
        onConfirm={() => change.mutate({ cache_fit: false })}
      />
    </>
  );
}
