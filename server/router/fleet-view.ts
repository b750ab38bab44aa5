import type { FleetView } from '#lib/routing/types.ts';
import type { SharedModel } from '#server/fleet/shared-model.ts';
import { freshReading, takesRequests } from './engine-process.ts';
import type { Replicas } from './replicas.ts';

/** Several URLs: the router itself chooses where affinity is off. One URL with ranks: the engine does. */
const doesEngineBalance = ({ processes }: Replicas): boolean =>
  processes.length === 1 && (processes[0]?.ranks ?? 1) > 1;

/** The replicas as decisions are made from them. `now` of the wall clock, `steadyNow` of the steady one. */
export function fleetView(
  replicas: Replicas,
  shared: SharedModel | null,
  { now, steadyNow }: { readonly now: number; readonly steadyNow: number },
): FleetView {
  return {
    elsewhere: shared?.elsewhere ?? null,
    get agreement() {
      return shared === null || shared.isUp ? null : shared.agreement;
    },
    engineBalances: doesEngineBalance(replicas),
    replicas: replicas.places.map(({ process, position }, replica) => {
      const rank = freshReading(process, now)?.ranks[position];
      return {
        up: takesRequests(process, replicas.processes, steadyNow),
        draining: replicas.isDraining(replica),
        kvUsage: rank?.kvUsage ?? null,
        running: rank?.running ?? null,
        waiting: rank?.waiting ?? null,
      };
    }),
  };
}

/** Those that take new work: up and not draining, or, where all that are up drain, these. */
export function openReplicas({ replicas }: FleetView): readonly boolean[] {
  const open = replicas.map(({ up, draining }) => up && !draining);
  return open.includes(true) ? open : replicas.map(({ up }) => up);
}
