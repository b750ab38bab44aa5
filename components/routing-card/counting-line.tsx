import { useTranslations } from 'use-intl';
import { useNow } from '#components/data/ticker.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Age } from '#components/ui/age.tsx';
import type { RoutingState } from '#lib/contract/models.ts';

/** Since when the counters count, what they count beside the rows, and how old the engine's own numbers are. */
export function CountingLine({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.routing.counting');
  const { dateTime, exact, moment } = useFormat();
  const now = useNow();
  const since = Date.parse(state.since);
  const { spilled, failed_over, balanced, unrouted } = state.totals;
  const parts = [
    t('since', { time: now === null ? '…' : moment(since, now) }),
    t('spilled', { count: exact(spilled) }),
    ...(failed_over > 0 ? [t('failedOver', { count: exact(failed_over) })] : []),
    t('balanced', { count: exact(balanced) }),
    t('unrouted', { count: exact(unrouted) }),
  ];
  const scrapedAt = state.engine.scraped_at;
  return (
    <footer className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-line border-t px-4 py-2.5 text-muted text-xs tabular-nums">
      <p title={dateTime(since)}>{parts.join(' · ')}</p>
      {scrapedAt === null ? null : <p>{t.rich('engine', { age: () => <Age time={scrapedAt} /> })}</p>}
    </footer>
  );
}
