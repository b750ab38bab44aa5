import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSessionForget, useSessionMove } from '#components/data/activity.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useRouting } from '#components/data/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { Confirm } from '#components/ui/confirm.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Select } from '#components/ui/select.tsx';
import type { SessionEntry } from '#lib/contract/activity.ts';

/** What can be done with a conversation that has a home: move it, or forget where it lives. Both ask first. */
export function SessionActions({ entry }: { readonly entry: SessionEntry }) {
  const { home } = entry;
  if (home === null) return null;
  return (
    <div className="border-line border-t pt-4">
      <ForAdmins>
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <MoveHome entry={entry} home={home} />
          <Forget entry={entry} />
        </div>
      </ForAdmins>
    </div>
  );
}

const LEAST_LOADED = 'least_loaded';

function MoveHome({ entry, home }: { readonly entry: SessionEntry; readonly home: number }) {
  const t = useTranslations('sessions.move');
  const failure = useFailureWords();
  const routing = useRouting(entry.model);
  const [to, setTo] = useState<string>(LEAST_LOADED);
  const [asks, setAsks] = useState(false);
  const move = useSessionMove(entry.key);
  // Only what takes conversations now: the router refuses the others.
  const fit = (routing.data?.replicas ?? []).filter(
    ({ replica, health, draining }) => replica !== home && health !== 'down' && !draining,
  );
  const options = [
    { value: LEAST_LOADED, label: t('leastLoaded') },
    ...fit.map(({ replica }) => ({ value: String(replica), label: t('to', { replica: String(replica) }) })),
  ];
  const target = options.some(({ value }) => value === to) ? to : LEAST_LOADED;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-2">
        <span aria-hidden="true">{t('label')}</span>
        <Select label={t('label')} value={target} options={options} onChange={setTo} />
        <Button disabled={fit.length === 0 || move.isPending} onClick={() => setAsks(true)}>
          {t('action')}
        </Button>
      </div>
      <Outcome
        failed={move.error ? t('failed', { why: failure(move.error).detail }) : null}
        done={move.data && move.data.home !== null ? t('done', { replica: String(move.data.home) }) : null}
      />
      <Confirm
        open={asks}
        onOpenChange={setAsks}
        title={t('confirmTitle', { session: entry.key })}
        description={t('confirm', {
          to: target === LEAST_LOADED ? t('toLeastLoaded') : t('toReplica', { replica: target }),
          from: String(home),
        })}
        confirm={t('action')}
        onConfirm={() => move.mutate({ replica: target === LEAST_LOADED ? LEAST_LOADED : Number(target) })}
      />
    </div>
  );
}

function Forget({ entry }: { readonly entry: SessionEntry }) {
  const t = useTranslations('sessions.forget');
  const failure = useFailureWords();
  const [asks, setAsks] = useState(false);
  const forget = useSessionForget(entry.key);
  return (
    <div>
      <Button disabled={forget.isPending} onClick={() => setAsks(true)}>
        {t('action')}
      </Button>
      <Outcome
        failed={forget.error ? t('failed', { why: failure(forget.error).detail }) : null}
        done={forget.data ? t('done') : null}
      />
      <Confirm
        open={asks}
        onOpenChange={setAsks}
        title={t('confirmTitle', { session: entry.key })}
        description={t('confirm')}
        confirm={t('action')}
        onConfirm={() => forget.mutate()}
      />
    </div>
  );
}

function Outcome({ failed, done }: { readonly failed: string | null; readonly done: ReactNode }) {
  return (
    <>
      {failed === null ? null : (
        <Notice tone="bad" title={failed} className="mt-2">
          {null}
        </Notice>
      )}
      <p role="status" className="text-ok">
        {failed === null && done !== null ? done : null}
      </p>
    </>
  );
}
