import clsx from 'clsx';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Reported } from '#components/ui/reported.tsx';
import { Ticking } from '#components/ui/ticking.tsx';
import type { ModelSummary } from '#lib/contract/models.ts';
import { Sparkline } from './sparkline.tsx';

/** The numbers of a model's card. What they cover in time stands in their names. */
export function CardFacts({ model }: { readonly model: ModelSummary }) {
  const t = useTranslations('models.card');
  const format = useFormat();
  const rate = (tokens: number) => format.compact(tokens);
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 px-4 py-4 sm:flex sm:flex-wrap sm:gap-x-8">
      <HitShare model={model} />
      <Fact name={t('ttfb')} unit={t('ttfbUnit')}>
        <Reported value={model.ttfb_p50_seconds_15m} format={format.seconds} why={t('ttfbWhy')} />
        <Separator />
        <Reported value={model.ttfb_p95_seconds_15m} format={format.seconds} why={t('ttfbWhy')} />
      </Fact>
      <Fact name={t('tokens')} unit={t('tokensUnit')}>
        {rate(model.prompt_tokens_per_second_5m)}
        <Separator />
        {rate(model.completion_tokens_per_second_5m)}
      </Fact>
      <Fact name={t('inFlight')}>
        <Ticking value={format.exact(model.in_flight)} />
      </Fact>
      <Fact name={t('liveSessions')}>
        <Ticking value={format.exact(model.live_sessions)} />
      </Fact>
      <Fact name={t('replicasUp')} tone={model.replicas_up < model.replica_count ? 'text-bad' : undefined}>
        {t('upOf', { up: format.exact(model.replicas_up), all: format.exact(model.replica_count) })}
      </Fact>
    </dl>
  );
}

function HitShare({ model }: { readonly model: ModelSummary }) {
  const t = useTranslations('models.card');
  const format = useFormat();
  const share = (percent: number) => format.percent(percent, 0);
  const measured = model.cache_hit_percent_series.filter((value) => value !== null);
  const label = () => {
    if (measured.length === 0) return t('hitShareNone');
    const [least, most] = [share(Math.min(...measured)), share(Math.max(...measured))];
    return least === most ? t('hitShareFlat', { share: least }) : t('hitShareLine', { least, most });
  };
  return (
    <div className="col-span-2 min-w-0 sm:flex-1 sm:basis-64">
      <dt className="text-muted text-xs">{t('hitShare')}</dt>
      <dd className="flex items-center gap-3 font-semibold text-lg tabular-nums leading-7">
        <span className="min-w-12">
          <Reported value={model.cache_hit_percent_1h} format={share} why={t('hitShareWhy')} />
        </span>
        <Link
          href={`/stats?model=${encodeURIComponent(model.name)}`}
          title={t('hitShareChart')}
          // Above the link of the whole card.
          className="relative min-w-0 flex-1 rounded hover:bg-hover"
        >
          <Sparkline values={model.cache_hit_percent_series} label={label()} className="w-full" />
          <span className="sr-only">. {t('hitShareChart')}</span>
        </Link>
      </dd>
    </div>
  );
}

type FactProps = {
  readonly name: string;
  /** Which of several numbers is which. */
  readonly unit?: string;
  readonly tone?: string | undefined;
  readonly children: ReactNode;
};

function Fact({ name, unit, tone, children }: FactProps) {
  return (
    <div className="min-w-0 sm:min-w-22">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className={clsx('font-semibold text-lg tabular-nums leading-7', tone)}>
        {children}
        {unit === undefined ? null : <span className="block font-normal text-faint text-xs leading-4">{unit}</span>}
      </dd>
    </div>
  );
}

function Separator() {
  return <span className="font-normal text-faint"> · </span>;
}
