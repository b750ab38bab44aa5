'use client';

import clsx from 'clsx';
import { Bell } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFailure } from '#components/data/failure.ts';
import { loadCode } from '#components/data/load-code.ts';
import { useAlerts } from '#components/data/queries.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';

/** Seen only by who opens it. */
const AlertLists = lazy(async () => ({ default: (await loadCode(() => import('./alert-lists.tsx'))).AlertLists }));

/** How many alerts are raised, on every page, or that nobody knows; opens the list of them and of those that are over. */
export function AlertBell() {
  const t = useTranslations('alerts');
  const [open, setOpen] = useState(false);
  const query = useAlerts();
  const raised = query.data?.alerts ?? [];
  const isFailing = useFailure(query) !== null;
  const isKnown = query.data !== undefined && !isFailing;
  const isCritical = raised.some(({ severity }) => severity === 'critical');
  return (
    <>
      <IconButton
        label={t(isKnown ? 'open' : 'lastKnown', { count: raised.length })}
        onClick={() => setOpen(true)}
        className="relative"
      >
        <Bell aria-hidden="true" className="size-4" />
        {raised.length > 0 ? (
          <Badge tone={isCritical ? 'bg-bad' : 'bg-warn'}>{raised.length}</Badge>
        ) : isFailing ? (
          <Badge tone="bg-muted">?</Badge>
        ) : null}
      </IconButton>
      <Dialog open={open} onOpenChange={setOpen} title={t('title')}>
        <Suspense fallback={<Skeleton className="h-24" />}>
          <PollState query={query} loading={<Skeleton className="h-24" />} className="pb-3">
            {(list) => <AlertLists list={list} />}
          </PollState>
        </Suspense>
      </Dialog>
    </>
  );
}

/** On the bell; its button's name says the same in words. */
function Badge({ tone, children }: { readonly tone: string; readonly children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'absolute top-0 right-0 min-w-4 rounded-full px-1 text-center font-semibold text-[0.65rem] text-canvas leading-4 tabular-nums',
        tone,
      )}
    >
      {children}
    </span>
  );
}
