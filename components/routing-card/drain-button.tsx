'use client';

import { useState } from 'react';
import { useReplicaChange } from '#components/data/replica-change.ts';
import { Confirm } from '#components/ui/confirm.tsx';
import type { ReplicaRouting, RoutingState } from '#lib/contract/models.ts';
import { drainConsequences } from './drain-words.ts';

type Props = { readonly replica: ReplicaRouting; readonly state: RoutingState };

/** Drains a replica, which it asks about first, or takes that back at once. Named with the replica: one stands in each row. */
export function DrainButton({ replica, state }: Props) {
  const change = useReplicaChange(state.model, replica.replica);
  const [asking, setAsking] = useState(false);
  const { draining } = replica;
  // Not disabled meanwhile: a button that is loses the focus, which comes back to it from the question.
  const toggle = () => {
    if (change.isPending) return;
    if (draining) change.mutate({ draining: false });
    else setAsking(true);
  };
  const words = draining ? 'Stop draining' : 'Drain';
  return (
    <>
      <button
        type="button"
        aria-label={`${words} replica ${replica.replica}`}
        aria-busy={change.isPending}
        onClick={toggle}
        className="inline-flex min-h-7 items-center rounded-md border border-line-strong px-2 text-left font-medium text-xs leading-4 transition-colors hover:bg-hover"
      >
        {words}
      </button>
      {change.error ? (
        <p role="alert" className="mt-1 whitespace-normal text-bad text-xs">
          Not changed: {change.error.detail}
        </p>
      ) : null}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Drain replica ${replica.replica}?`}
        description={
          <ul className="list-disc space-y-1 pl-4">
            {drainConsequences(replica, state).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        }
        confirm={`Drain replica ${replica.replica}`}
        onConfirm={() => change.mutate({ draining: true })}
      />
    </>
  );
}
