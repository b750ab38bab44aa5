'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRoutingChange } from '#components/data/changes.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Confirm } from '#components/ui/confirm.tsx';
import { Toggle } from '#components/ui/toggle.tsx';
import type { RoutingState } from '#lib/contract/models.ts';

/** Turns affinity on and off. Shows the wish at once; a failed change falls back to what is in force, and says so. */
export function AffinitySwitch({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.routing');
  const words = useFailureWords();
  const change = useRoutingChange(state.model);
  const [asking, setAsking] = useState(false);
  const sessions = state.replicas.reduce((sum, replica) => sum + replica.live_sessions, 0);
  const { held } = state.admission;
  const wished = change.isPending ? change.variables.affinity : undefined;
  const choose = (affinity: boolean) => {
    if (!affinity && sessions > 0) setAsking(true);
    else change.mutate({ affinity });
  };
  const isEnginesChoice = state.replicas.some((replica) => replica.rank !== null);
  return (
    <>
      {change.error ? (
        <p role="alert" className="text-bad">
          {t('notChanged', { why: words(change.error).detail })}
        </p>
      ) : null}
      <Toggle
        label={t('affinity.label')}
        checked={wished ?? state.affinity}
        busy={change.isPending}
        onChange={choose}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('affinity.ask')}
        description={
          <>
            <p>{t(isEnginesChoice ? 'affinity.engine' : 'affinity.queue', { sessions })}</p>
            {held > 0 ? <p className="mt-2">{t('affinity.held', { held })}</p> : null}
          </>
        }
        confirm={t('affinity.confirm')}
        onConfirm={() => change.mutate({ affinity: false })}
      />
    </>
  );
}
