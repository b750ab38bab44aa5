import clsx from 'clsx';
import { Meter } from '#components/ui/meter.tsx';
import { Reported } from '#components/ui/reported.tsx';
import type { ModelSummary } from '#lib/contract/models.ts';
import { formatPercent } from '#lib/format/percent.ts';

type Replica = ModelSummary['replicas'][number];

/** The replicas of a model side by side: state, KV cache in use, requests in flight. */
export function ReplicaStrip({ replicas }: { readonly replicas: readonly Replica[] }) {
  return (
    <ul
      aria-label="Replicas"
      className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-x-4 gap-y-3 border-line border-t px-4 py-3.5"
    >
      {replicas.map((replica) => (
        <li key={replica.replica} className="text-xs tabular-nums">
          <div className="flex items-center justify-between gap-2">
            <span className="inline-flex items-center gap-1.5 font-medium">
              <span aria-hidden="true" className={clsx('size-2 rounded-full', DOTS[replica.health])} />
              <span className="sr-only">Replica </span>
              {replica.replica}
            </span>
            {replica.health === 'up' ? (
              <span className="text-muted">{replica.in_flight} in flight</span>
            ) : (
              <span className={WORDS[replica.health]}>{replica.health}</span>
            )}
          </div>
          <Meter
            label="KV cache in use"
            share={replica.kv_cache_usage_percent === null ? null : replica.kv_cache_usage_percent / 100}
            className="mt-1.5"
          />
          <div className="mt-1 text-muted">
            KV <Reported value={replica.kv_cache_usage_percent} format={(share) => formatPercent(share, 0)} />
          </div>
        </li>
      ))}
    </ul>
  );
}

const DOTS = { up: 'bg-ok', degraded: 'bg-warn', down: 'bg-bad' } as const;
const WORDS = { up: 'text-ok', degraded: 'text-warn', down: 'text-bad' } as const;
