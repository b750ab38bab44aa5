'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useReplicaChange } from '#components/data/replica-change.ts';
import { Confirm } from '#components/ui/confirm.tsx';
import type { ReplicaRouting, RoutingState } from '#lib/contract/models.ts';
import { useDrainConsequences } from './drain-words.ts';

type Props = { readonly replica: ReplicaRouting; readonly state: RoutingState };

/** Drains a replica, which it asks about first, or takes that back at once. Named with the replica: one stands in each row. */
export function DrainButton({ replica, state }: Props) {
  const t = useTranslations('model.routing');
  const consequences = useDrainConsequences();
  const words = useFailureWords();
  const change = useReplicaChange(state.model, replica.replica);
  const [asking, setAsking] = useState(false);
  const { draining, replica: number } = replica;
  // Not disabled meanwhile: a button that is loses the focus, which comes back to it from the question.
  const toggle = () => {
    if (change.isPending) return;
    if (draining) change.mutate({ draining: false });
    else setAsking(true);
  };
  return (
    <>
      <button
        type="button"
        aria-label={t(draining ? 'drain.stopNamed' : 'drain.startNamed', { replica: String(number) })}
        aria-busy={change.isPending}
        onClick={toggle}
        className="inline-flex min-h-7 items-center rounded-md border border-line-strong px-2 text-left font-medium text-xs leading-4 transition-colors hover:bg-hover"
      >
        {t(draining ? 'drain.stop' : 'drain.start')}
      </button>
      {change.error ? (
        <p role="alert" className="mt-1 whitespace-normal text-bad text-xs">
          {t('notChanged', { why: words(change.error).detail })}
        </p>
      ) : null}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('drain.ask', { replica: String(number) })}
        description={
          <ul className="list-disc space-y-1 pl-4">
            {consequences(replica, state).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        }
        confirm={t('drain.startNamed', { replica: String(number) })}
        onConfirm={() => change.mutate({ draining: true })}
      />
    </>
  );
}
