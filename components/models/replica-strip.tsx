import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Meter } from '#components/ui/meter.tsx';
import { Reported } from '#components/ui/reported.tsx';
import type { ModelSummary } from '#lib/contract/models.ts';

type Replica = ModelSummary['replicas'][number];

/** The replicas of a model side by side: state, KV cache in use, requests in flight. */
export function ReplicaStrip({ replicas }: { readonly replicas: readonly Replica[] }) {
  const t = useTranslations('models.strip');
  const format = useFormat();
  if (replicas.length === 0) return null;
  return (
    <ul
      aria-label={t('label')}
      className="mt-auto grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-x-4 gap-y-3 border-line border-t px-4 py-3.5"
    >
      {replicas.map((replica) => {
        const state = stateOf(replica);
        return (
          <li key={replica.replica} className="text-xs tabular-nums">
            <div className="flex items-center justify-between gap-2">
              <span className="inline-flex items-center gap-1.5 font-medium">
                <span aria-hidden="true" className={clsx('size-2 rounded-full', DOTS[state])} />
                <span className="sr-only">{t('replica')} </span>
                {replica.replica}
              </span>
              {state === 'up' ? (
                <span className="text-muted">{t('inFlight', { count: format.exact(replica.in_flight) })}</span>
              ) : (
                <span className={clsx('font-medium', WORDS[state])}>{t(state)}</span>
              )}
            </div>
            <Meter
              label={t('kvMeter')}
              share={replica.kv_cache_usage_percent === null ? null : replica.kv_cache_usage_percent / 100}
              className="mt-1.5"
            />
            <div className="mt-1 text-muted">
              {t('kv')} <Reported value={replica.kv_cache_usage_percent} format={(share) => format.percent(share, 0)} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** Down is worse than draining. */
function stateOf({ health, draining }: Replica): keyof typeof DOTS {
  return health === 'up' && draining ? 'draining' : health;
}

const DOTS = { up: 'bg-ok', degraded: 'bg-warn', draining: 'bg-warn', down: 'bg-bad' } as const;
const WORDS = { degraded: 'text-warn', draining: 'text-warn', down: 'text-bad' } as const;
