'use client';

import { useState } from 'react';
import { useRoutingChange } from '#components/data/changes.ts';
import { Confirm } from '#components/ui/confirm.tsx';
import { Toggle } from '#components/ui/toggle.tsx';
import type { RoutingState } from '#lib/contract/models.ts';

/** Turns affinity on and off. Shows the wish at once; a failed change falls back to what is in force, and says so. */
export function AffinitySwitch({ state }: { readonly state: RoutingState }) {
  const change = useRoutingChange(state.model);
  const [asking, setAsking] = useState(false);
  const live = state.replicas.reduce((sum, replica) => sum + replica.live_sessions, 0);
  const wished = change.isPending ? change.variables.affinity : undefined;
  const choose = (affinity: boolean) => {
    if (!affinity && live > 0) setAsking(true);
    else change.mutate({ affinity });
  };
  return (
    <>
      {change.error ? (
        <p role="alert" className="text-bad">
          Not changed: {change.error.detail}
        </p>
      ) : null}
      <Toggle label="Affinity" checked={wished ?? state.affinity} busy={change.isPending} onChange={choose} />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Turn affinity off?"
        description={consequence(live, state)}
        confirm="Turn affinity off"
        onConfirm={() => change.mutate({ affinity: false })}
      />
    </>
  );
}

function consequence(live: number, state: RoutingState): string {
  const who = live === 1 ? 'the turns of 1 live session' : `the turns of ${live} live sessions`;
  const balancer = state.replicas.some((replica) => replica.rank !== null)
    ? "the engine's own balancer"
    : 'the shortest queue';
  return (
    `From the next request on ${balancer} decides where ${who} go. A turn that lands away from its cache reads its whole ` +
    'history again.'
  );
}
