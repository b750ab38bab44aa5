import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { modelHref } from '#components/data/model-name.ts';
import { Health } from '#components/ui/health.tsx';
import { Pill } from '#components/ui/pill.tsx';
import type { ModelSummary } from '#lib/contract/models.ts';
import { CardFacts } from './card-facts.tsx';
import { ReplicaStrip } from './replica-strip.tsx';
import { RuleLine } from './rule-line.tsx';

/** One model at a glance; the whole card leads to its page. */
export function ModelCard({ model }: { readonly model: ModelSummary }) {
  const t = useTranslations('models.card');
  return (
    <article className="relative flex h-full flex-col rounded-lg border border-line bg-raised transition-colors hover:border-control">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 px-4 pt-3.5">
        <div className="min-w-0">
          <h2 className="break-words font-semibold [overflow-wrap:anywhere]">
            <Link href={modelHref(model.name)} className="after:absolute after:inset-0 after:rounded-lg">
              {model.name}
            </Link>
          </h2>
          <Subtitle model={model} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {model.simulated ? <Pill tone="warn">{t('simulated')}</Pill> : null}
          <Pill tone={model.affinity ? 'accent' : 'plain'}>{t(model.affinity ? 'affinityOn' : 'affinityOff')}</Pill>
          {model.affinity ? (
            <Pill tone={model.cache_fit ? 'accent' : 'plain'}>{t(model.cache_fit ? 'cacheFitOn' : 'cacheFitOff')}</Pill>
          ) : null}
          <Health health={model.health} />
        </div>
      </header>
      <CardFacts model={model} />
      <RuleLine model={model} />
      <ReplicaStrip replicas={model.replicas} />
    </article>
  );
}

/** The name at the engine where it is another one, and the other names that clients may ask for. */
function Subtitle({ model }: { readonly model: ModelSummary }) {
  const t = useTranslations('models.card');
  const parts = model.served_model_name === model.name ? [] : [model.served_model_name];
  if (model.aliases.length > 0) parts.push(t('also', { names: model.aliases.join(', ') }));
  return <p className="text-muted text-xs [overflow-wrap:anywhere]">{parts.join(' · ')}</p>;
}
