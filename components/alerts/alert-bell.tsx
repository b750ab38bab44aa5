'use client';

import clsx from 'clsx';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAlerts } from '#components/data/queries.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import type { AlertView } from '#lib/contract/alerts.ts';
import { AlertItem } from './alert-item.tsx';

/** How many alerts are raised, on every page; opens the list of them and of those that are over. */
export function AlertBell() {
  const t = useTranslations('alerts');
  const [open, setOpen] = useState(false);
  const { data } = useAlerts();
  const raised = data?.alerts ?? [];
  const isCritical = raised.some(({ severity }) => severity === 'critical');
  return (
    <>
      <IconButton label={t('open', { count: raised.length })} onClick={() => setOpen(true)} className="relative">
        <Bell aria-hidden="true" className="size-4" />
        {raised.length > 0 ? (
          <span
            aria-hidden="true"
            className={clsx(
              'absolute top-0 right-0 min-w-4 rounded-full px-1 text-center font-semibold text-[0.65rem] text-canvas leading-4 tabular-nums',
              isCritical ? 'bg-bad' : 'bg-warn',
            )}
          >
            {raised.length}
          </span>
        ) : null}
      </IconButton>
      <Dialog open={open} onOpenChange={setOpen} title={t('title')}>
        <AlertLists raised={raised} resolved={data?.resolved ?? []} isKnown={data !== undefined} />
      </Dialog>
    </>
  );
}

type Lists = {
  readonly raised: readonly AlertView[];
  readonly resolved: readonly AlertView[];
  readonly isKnown: boolean;
};

function AlertLists({ raised, resolved, isKnown }: Lists) {
  const t = useTranslations('alerts');
  if (!isKnown) return <Empty title={t('notKnown')} />;
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
