'use client';

import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { useEvents } from '#components/data/queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { Age } from '#components/ui/age.tsx';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { EventList } from '#lib/contract/activity.ts';
import { useEventWords } from './event-words.ts';

/** What happened to this model: switches, restarts, replicas up and down. */
export function ModelEvents() {
  const t = useTranslations('model.events');
  const query = useEvents(useModelName(), 12);
  return (
    <Card title={t('title')} flush>
      <PollState query={query} loading={<Skeleton className="m-4 h-28" />}>
        {({ events }) => (events.length === 0 ? <Empty title={t('empty')} /> : <List events={events} />)}
      </PollState>
    </Card>
  );
}

function List({ events }: EventList) {
  const words = useEventWords();
  return (
    <ol className="max-h-80 divide-y divide-line overflow-y-auto">
      {events.map((event) => (
        <li
          key={`${event.time} ${event.kind} ${event.detail}`}
          className="flex items-baseline justify-between gap-4 px-4 py-2"
        >
          <Words text={words(event)} />
          <span className="shrink-0 text-muted text-xs">
            <Age time={event.time} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Begins with a capital, unless it begins with an address. */
function Words({ text }: { readonly text: string }) {
  return (
    <span className={clsx('min-w-0 break-words', !/^https?:/.test(text) && 'first-letter:uppercase')}>{text}</span>
  );
}
