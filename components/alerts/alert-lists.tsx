import { useTranslations } from 'use-intl';
import { Empty } from '#components/ui/empty.tsx';
import type { AlertList, AlertView } from '#lib/contract/alerts.ts';
import { AlertItem } from './alert-item.tsx';

/** The alerts that are raised, and those that are over. */
export function AlertLists({ list: { alerts: raised, resolved } }: { readonly list: AlertList }) {
  const t = useTranslations('alerts');
  return (
    <div className="space-y-4">
      {raised.length === 0 ? <Empty title={t('none')}>{t('noneHint')}</Empty> : <List title={t('now')} list={raised} />}
      {resolved.length > 0 ? <List title={t('over')} list={resolved} /> : null}
    </div>
  );
}

function List({ title, list }: { readonly title: string; readonly list: readonly AlertView[] }) {
  return (
    <section aria-label={title}>
      <h3 className="font-medium text-faint text-xs">{title}</h3>
      <ul className="divide-y divide-line">
        {list.map((alert) => (
          <AlertItem key={alert.id} alert={alert} />
        ))}
      </ul>
    </section>
  );
}
