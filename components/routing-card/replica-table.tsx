import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Empty } from '#components/ui/empty.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { Health } from '#components/ui/health.tsx';
import { Meter } from '#components/ui/meter.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import { Ticking } from '#components/ui/ticking.tsx';
import type { ReplicaRouting, RoutingState } from '#lib/contract/models.ts';
import { DrainButton } from './drain-button.tsx';

/** A row per replica: our own counts first, then what the engine reports. */
export function ReplicaTable({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.routing.table');
  const columns = useColumns(state);
  if (state.replicas.length === 0) return <Empty title={t('none')}>{t('noneWhy')}</Empty>;
  return (
    <Table
      caption={t('caption')}
      columns={columns}
      rows={state.replicas}
      rowKey={(replica) => String(replica.replica)}
    />
  );
}

function useColumns(state: RoutingState): [Column<ReplicaRouting>, ...Column<ReplicaRouting>[]] {
  const t = useTranslations('model.routing.table');
  const { exact } = useFormat();
  const count = (header: string, of: (replica: ReplicaRouting) => number): Column<ReplicaRouting> => ({
    header,
    align: 'end',
    cell: (replica) => <Ticking value={exact(of(replica))} />,
  });
  const reading = (header: string, of: (replica: ReplicaRouting) => number | null): Column<ReplicaRouting> => ({
    header,
    align: 'end',
    cell: (replica) => <Reported value={of(replica)} format={exact} />,
  });
  const failsOver = state.replicas.some((replica) => replica.rank === null || replica.failed_over_in > 0);
  return [
    { header: t('replica'), cell: (replica) => <Name replica={replica} /> },
    { header: t('inFlight'), cell: (replica) => <InFlight replica={replica} threshold={state.spill_threshold} /> },
    count(t('liveSessions'), (replica) => replica.live_sessions),
    count(t('sticky'), (replica) => replica.sticky),
    count(t('placed'), (replica) => replica.placed),
    count(t('spilledIn'), (replica) => replica.spilled_in),
    ...(failsOver ? [count(t('failedOverIn'), (replica) => replica.failed_over_in)] : []),
    count(t('clientPinned'), (replica) => replica.client_pinned),
    reading(t('running'), (replica) => replica.requests_running),
    reading(t('waiting'), (replica) => replica.requests_waiting),
    { header: t('kvUsed'), cell: (replica) => <KvUsed replica={replica} /> },
    {
      header: t('hit'),
      unit: t('hitUnit'),
      align: 'end',
      wide: true,
      cell: (replica) => <HitShare replica={replica} />,
    },
    {
      header: t('drain'),
      corner: true,
      cell: (replica) => (
        <ForAdmins>
          <DrainButton replica={replica} state={state} />
        </ForAdmins>
      ),
    },
  ];
}

type Of = { readonly replica: ReplicaRouting };

function Name({ replica: { replica, health, draining } }: Of) {
  const t = useTranslations('model.routing.table');
  const isDraining = draining && health === 'up';
  return (
    <span className="inline-flex items-center gap-2.5">
      <span className="font-semibold">{replica}</span>
      <span className="text-xs">
        <Health health={isDraining ? 'draining' : health} />
        {draining && !isDraining ? <span className="block text-warn">{t('draining')}</span> : null}
      </span>
    </span>
  );
}

function InFlight({ replica, threshold }: Of & { readonly threshold: number }) {
  const t = useTranslations('model.routing.table');
  const { exact } = useFormat();
  const share = replica.in_flight / threshold;
  const isFull = share >= 1;
  return (
    <div className="min-w-24">
      <span className="tabular-nums">
        <Ticking value={exact(replica.in_flight)} className={clsx(isFull && 'font-semibold text-warn')} />{' '}
        <span className="text-muted">{t('ofThreshold', { threshold: exact(threshold) })}</span>
        {isFull ? <span className="text-warn text-xs"> {t('full')}</span> : null}
      </span>
      <Meter label={t('inFlight')} share={share} tone={isFull ? 'warn' : 'accent'} className="mt-1" />
    </div>
  );
}

function KvUsed({ replica }: Of) {
  const t = useTranslations('model.routing.table');
  const { compact, exact, percent } = useFormat();
  const { kv_cache_usage_percent: used, kv_capacity_tokens: capacity } = replica;
  return (
    <div className="min-w-24">
      <span className="flex flex-wrap justify-between gap-x-3 whitespace-nowrap">
        <Reported value={used} format={(share) => percent(share, 0)} />
        {capacity === null ? null : (
          <span className="text-muted text-xs" title={t('kvCapacity', { tokens: exact(capacity) })}>
            {t('kvOf', { capacity: compact(capacity) })}
          </span>
        )}
      </span>
      <Meter
        label={t('kvMeter')}
        share={used === null ? null : used / 100}
        tone={used !== null && used >= 90 ? 'warn' : 'accent'}
        className="mt-1"
      />
    </div>
  );
}

function HitShare({ replica }: Of) {
  const t = useTranslations('model.routing.table');
  const { percent } = useFormat();
  const { prefix_cache_hit_percent: since, prefix_cache_hit_percent_5m: recent } = replica;
  return (
    <span>
      <Reported value={recent} format={percent} why={t('hitWhy')} />
      {since === null ? null : (
        <span className="block text-faint text-xs tabular-nums">{t('hitSince', { share: percent(since) })}</span>
      )}
    </span>
  );
}
