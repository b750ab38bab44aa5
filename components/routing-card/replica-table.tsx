import clsx from 'clsx';
import { Health } from '#components/ui/health.tsx';
import { Meter } from '#components/ui/meter.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import { Ticking } from '#components/ui/ticking.tsx';
import type { ReplicaRouting, RoutingState } from '#lib/contract/models.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { formatCompact, formatExact } from '#lib/format/tokens.ts';
import { DrainButton } from './drain-button.tsx';

/** A row per replica: our own counts first, then what the engine reports. */
export function ReplicaTable({ state }: { readonly state: RoutingState }) {
  return (
    <Table
      caption="Replicas"
      columns={columnsFor(state)}
      rows={state.replicas}
      rowKey={(replica) => String(replica.replica)}
    />
  );
}

function columnsFor(state: RoutingState): [Column<ReplicaRouting>, ...Column<ReplicaRouting>[]] {
  const failsOver = state.replicas.some((replica) => replica.rank === null || replica.failed_over_in > 0);
  return [
    { header: 'Replica', cell: name },
    { header: 'In flight', cell: (replica) => inFlight(replica, state.spill_threshold) },
    count('Live sessions', (replica) => replica.live_sessions),
    count('Sticky', (replica) => replica.sticky),
    count('Placed', (replica) => replica.placed),
    count('Spilled in', (replica) => replica.spilled_in),
    ...(failsOver ? [count('Failed over in', (replica) => replica.failed_over_in)] : []),
    count('Client-pinned', (replica) => replica.client_pinned),
    reading('Running', (replica) => replica.requests_running),
    reading('Waiting', (replica) => replica.requests_waiting),
    { header: 'KV used', cell: kvUsed },
    { header: 'Prefix-cache hit', unit: 'last 5 min', align: 'end', wide: true, cell: hitShare },
    { header: 'Drain', corner: true, cell: (replica) => <DrainButton replica={replica} state={state} /> },
  ];
}

function name({ replica, health, draining }: ReplicaRouting) {
  const isDraining = draining && health === 'up';
  return (
    <span className="inline-flex items-center gap-2.5">
      <span className="font-semibold">{replica}</span>
      <span className="text-xs">
        <Health health={isDraining ? 'draining' : health} />
        {draining && !isDraining ? <span className="block text-warn">draining</span> : null}
      </span>
    </span>
  );
}

function count(header: string, of: (replica: ReplicaRouting) => number): Column<ReplicaRouting> {
  return { header, align: 'end', cell: (replica) => <Ticking value={formatExact(of(replica))} /> };
}

function reading(header: string, of: (replica: ReplicaRouting) => number | null): Column<ReplicaRouting> {
  return { header, align: 'end', cell: (replica) => <Reported value={of(replica)} format={formatExact} /> };
}

function inFlight(replica: ReplicaRouting, threshold: number) {
  const share = replica.in_flight / threshold;
  return (
    <div className="min-w-24">
      <span className="tabular-nums">
        <Ticking value={String(replica.in_flight)} className={clsx(share >= 1 && 'font-semibold text-warn')} />
        <span className="text-muted"> / {threshold}</span>
        {share >= 1 ? <span className="ml-1.5 text-warn text-xs">full</span> : null}
      </span>
      <Meter label="In flight" share={share} tone={share >= 1 ? 'warn' : 'accent'} className="mt-1" />
    </div>
  );
}

function kvUsed(replica: ReplicaRouting) {
  const used = replica.kv_cache_usage_percent;
  return (
    <div className="min-w-24">
      <span className="flex justify-between gap-3">
        <Reported value={used} format={(share) => formatPercent(share, 0)} />
        {replica.kv_capacity_tokens === null ? null : (
          <span className="text-muted text-xs" title={`KV cache of ${formatExact(replica.kv_capacity_tokens)} tokens`}>
            of {formatCompact(replica.kv_capacity_tokens)}
          </span>
        )}
      </span>
      <Meter
        label="KV cache in use"
        share={used === null ? null : used / 100}
        tone={used !== null && used >= 90 ? 'warn' : 'accent'}
        className="mt-1"
      />
    </div>
  );
}

function hitShare(replica: ReplicaRouting) {
  const { prefix_cache_hit_percent: since, prefix_cache_hit_percent_5m: recent } = replica;
  return (
    <span>
      <Reported value={recent} format={formatPercent} why="Not reported, or nothing asked for in 5 minutes" />
      {since === null ? null : (
        <span className="block text-faint text-xs tabular-nums">{formatPercent(since)} since start</span>
      )}
    </span>
  );
}
