import { memo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Meter } from '#components/ui/meter.tsx';
import { Reported } from '#components/ui/reported.tsx';
import type { SessionEntry } from '#lib/contract/activity.ts';
import type { ReplicaRouting } from '#lib/contract/models.ts';
import { type Home, perHome } from './per-home.ts';

type Capacity = Pick<ReplicaRouting, 'replica' | 'kv_capacity_tokens'>;

type Props = {
  readonly sessions: readonly SessionEntry[];
  /** The size of each replica's cache, where the page is about one model. */
  readonly capacities?: readonly Capacity[];
};

/** The conversations of each replica: how many, and how much context they hold together beside what its cache holds. */
export const Homes = memo(function Homes({ sessions, capacities = [] }: Props) {
  const t = useTranslations('sessions');
  const homes = perHome(sessions);
  if (homes.length === 0) return null;
  const most = Math.max(...homes.map((home) => home.sessions));
  const models = [...new Set(homes.map((home) => home.model))];
  const capacityOf = (replica: number) => capacities.find((one) => one.replica === replica)?.kv_capacity_tokens ?? null;
  return (
    <div className="space-y-3">
      {models.map((model) => (
        <section key={model} aria-label={t('homesOf', { model })}>
          {models.length > 1 ? <h2 className="mb-1.5 truncate font-medium text-muted text-xs">{model}</h2> : null}
          <ul className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-x-4 gap-y-3">
            {homes
              .filter((home) => home.model === model)
              .map((home) => (
                <Tile key={home.replica} home={home} most={most} capacity={capacityOf(home.replica)} />
              ))}
          </ul>
        </section>
      ))}
      {homes.some((home) => isOver(home, capacityOf(home.replica))) ? (
        <p className="max-w-4xl text-muted text-xs">{t('overWhy')}</p>
      ) : null}
    </div>
  );
});

function isOver(home: Home, capacity: number | null): boolean {
  return capacity !== null && home.contextTokens !== null && home.contextTokens > capacity;
}

type TileProps = { readonly home: Home; readonly most: number; readonly capacity: number | null };

function Tile({ home, most, capacity }: TileProps) {
  const t = useTranslations('sessions');
  const format = useFormat();
  const fits = capacity !== null && home.contextTokens !== null ? home.contextTokens / capacity : null;
  const over = isOver(home, capacity);
  return (
    <li className="text-xs tabular-nums">
      <div className="flex items-baseline justify-between gap-2">
        <span className="font-medium">{t('replica', { replica: String(home.replica) })}</span>
        <span className="text-muted">{t('count', { count: home.sessions })}</span>
      </div>
      <Meter
        label={t(fits === null ? 'meterSessions' : 'meterContext')}
        share={fits ?? home.sessions / most}
        tone={over ? 'warn' : 'accent'}
        className="mt-1.5"
      />
      <p className={over ? 'mt-1 text-warn' : 'mt-1 text-muted'}>
        {home.contextTokens === null ? (
          <Reported value={null} format={format.compact} />
        ) : capacity === null ? (
          t('context', { tokens: format.compact(home.contextTokens) })
        ) : (
          t(over ? 'contextOver' : 'contextOf', {
            tokens: format.compact(home.contextTokens),
            capacity: format.compact(capacity),
          })
        )}
      </p>
    </li>
  );
}
