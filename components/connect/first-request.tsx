import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { useRequests } from '#components/data/activity.ts';
import { useInFlight } from '#components/data/model-queries.ts';
import { Age } from '#components/ui/age.tsx';
import { Card } from '#components/ui/card.tsx';
import { Decision } from '#components/ui/decision.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import { type Arrival, useFirstArrival } from './first-arrival.ts';

type Props = {
  readonly model: string;
  /** Request ids of the page's own test turns. */
  readonly ownIds: readonly string[];
};

/** Lights up when the first request of a client arrives after the page was opened. */
export function FirstRequest({ model, ownIds }: Props) {
  const t = useTranslations('connect.first');
  const inFlight = useInFlight(model);
  const finished = useRequests({ model, limit: '10' });
  const arrival = useFirstArrival({
    // What another page had read may be minutes old.
    inFlight: inFlight.isFetchedAfterMount ? inFlight.data : undefined,
    finished: finished.data,
    ownIds,
  });
  return (
    <Card title={t('title')}>
      <div className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className={clsx(
            'mt-1.5 size-3 shrink-0 rounded-full transition-colors',
            arrival === null ? 'animate-pulse bg-control' : 'bg-ok ring-4 ring-ok-soft',
          )}
        />
        <div>
          <p role="status" className={arrival === null ? 'text-muted' : 'font-medium'}>
            {arrival === null ? t('waiting', { model }) : t('arrived', { client: arrival.client ?? t('somebody') })}
          </p>
          {arrival === null ? null : <Where arrival={arrival} />}
        </div>
      </div>
    </Card>
  );
}

/** Not announced with it: an age would be spoken again and again. */
function Where({ arrival }: { readonly arrival: Arrival }) {
  const t = useTranslations('connect.first');
  const { session, replica, decision, time } = arrival;
  return (
    <>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
        <span>{replica === null ? t('onEngines') : t('onReplica', { replica: String(replica) })}</span>
        <Decision kind={decision} />
        <Age time={time} />
      </p>
      <p className="mt-1">
        {session === null ? (
          t('noSession')
        ) : (
          <TextLink href={`/sessions?session=${session}`}>{t('openSession')}</TextLink>
        )}
      </p>
    </>
  );
}
