'use client';

import { useTranslations } from 'use-intl';
import { useFleet } from '#components/data/queries.ts';
import { WithWords } from '#components/language/with-words.tsx';
import { fleet } from '#components/messages/en/fleet.ts';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { FleetState } from '#lib/contract/fleet.ts';
import { FiguresCard } from './figures-card.tsx';
import { MemberTable } from './member-table.tsx';
import { SharedLoadTable } from './shared-load-table.tsx';

/** The wardens that share one memory, and which numbers are whose. */
export function FleetPage() {
  return (
    <WithWords english={WORDS}>
      <Content />
    </WithWords>
  );
}

const WORDS = { fleet } as const;

function Content() {
  const t = useTranslations('fleet');
  const query = useFleet();
  const fleet = query.data;
  const note = fleet?.shared === true ? t('wardensNote', { count: fleet.members.length }) : null;
  return (
    <div className="space-y-5">
      <Card title={t('wardens')} note={note} flush>
        <PollState query={query} loading={<Skeleton className="m-4 h-40" />}>
          {(data) => (data.shared ? <Members fleet={data} /> : <Empty title={t('alone')}>{t('aloneHint')}</Empty>)}
        </PollState>
      </Card>
      {fleet?.shared === true ? <FiguresCard /> : null}
      {fleet?.shared === true ? (
        <Card title={t('replicas')} note={t('replicasNote')} flush>
          <SharedLoadTable replicas={fleet.replicas} />
        </Card>
      ) : null}
      <Card title={t('whose')}>
        <div className="max-w-prose space-y-2 text-muted">
          <p>{t('whoseOwn')}</p>
          <p>{t('whoseFleet')}</p>
          {fleet?.shared === true ? <p>{t('whoseTook')}</p> : null}
          {fleet?.shared === true ? <p>{t(fleet.access_shared ? 'accessShared' : 'accessOwn')}</p> : null}
        </div>
      </Card>
    </div>
  );
}

function Members({ fleet }: { readonly fleet: FleetState }) {
  const t = useTranslations('fleet');
  return (
    <>
      {fleet.shared_memory_up === false ? (
        <div className="p-4">
          <Notice tone="warn" title={t('memoryAway')}>
            {t('memoryAwayHint')} <span className="text-faint">({fleet.shared_memory_error})</span>
          </Notice>
        </div>
      ) : (
        <p className="px-4 pt-3 text-muted">{t('memoryUp')}</p>
      )}
      <MemberTable members={fleet.members} />
    </>
  );
}
