import Link from 'next/link';
import type { ReactNode } from 'react';
import { modelHref } from '#components/data/model-name.ts';
import { Health } from '#components/ui/health.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { Ticking } from '#components/ui/ticking.tsx';
import type { ModelSummary } from '#lib/contract/models.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { formatExact } from '#lib/format/tokens.ts';
import { ReplicaStrip } from './replica-strip.tsx';

/** One model at a glance; the whole card leads to its page. */
export function ModelCard({ model }: { readonly model: ModelSummary }) {
  return (
    <article className="relative h-full rounded-lg border border-line bg-raised transition-colors hover:border-control">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 pt-3.5">
        <div className="min-w-0">
          <h2 className="break-words font-semibold">
            <Link href={modelHref(model.name)} className="after:absolute after:inset-0 after:rounded-lg">
              {model.name}
            </Link>
          </h2>
          <p className="break-words text-muted text-xs">{subtitle(model)}</p>
        </div>
        <div className="flex items-center gap-2">
          {model.simulated ? <Pill tone="warn">Simulated</Pill> : null}
          <Pill tone={model.affinity ? 'accent' : 'plain'}>{model.affinity ? 'Affinity on' : 'Affinity off'}</Pill>
          <Health health={model.health} />
        </div>
      </header>
      <Facts model={model} />
      <ReplicaStrip replicas={model.replicas} />
    </article>
  );
}

function Facts({ model }: { readonly model: ModelSummary }) {
  const up = model.replicas.filter((replica) => replica.health === 'up').length;
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-x-4 gap-y-3 px-4 py-4">
      <Fact name="Hit share, 1 h">
        <Reported
          value={model.cache_hit_percent_1h}
          format={(share) => formatPercent(share, 0)}
          why="Nothing was measured in the last hour"
        />
      </Fact>
      <Fact name="Sticky">
        <Reported value={model.sticky_percent} format={formatPercent} why="No second turn has been counted yet" />
      </Fact>
      <Fact name="In flight">
        <Ticking value={formatExact(model.in_flight)} />
      </Fact>
      <Fact name="Live sessions">
        <Ticking value={formatExact(model.live_sessions)} />
      </Fact>
      <Fact name="Replicas up">
        {up}/{model.replica_count}
      </Fact>
      <Fact name="Spill threshold">
        {model.spill_threshold}
        <span className="font-normal text-muted text-sm">
          {model.spill_threshold_source === 'auto' ? ' (auto)' : ' (set)'}
        </span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="font-semibold text-lg tabular-nums leading-7">{children}</dd>
    </div>
  );
}

function subtitle({ name, served_model_name, aliases }: ModelSummary): string {
  const parts = served_model_name === name ? [] : [served_model_name];
  if (aliases.length > 0) parts.push(`also ${aliases.join(', ')}`);
  return parts.join(' · ');
}
