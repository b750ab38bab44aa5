'use client';

import { useTranslations } from 'use-intl';
import { useInFlight } from '#components/data/model-queries.ts';
import { useNow } from '#components/data/ticker.ts';
import { useModelName } from '#components/data/url-state.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Age } from '#components/ui/age.tsx';
import { Card } from '#components/ui/card.tsx';
import { Decision } from '#components/ui/decision.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { InFlightList } from '#lib/contract/activity.ts';
import { useTallestHeight } from './tallest-height.ts';

type Request = InFlightList['requests'][number];

/** The oldest are the ones worth looking at; more than these fit no screen. */
const SHOWN = 40;

/** The requests that hold a place on a replica now: since when, where, why, and whether their answer has begun. */
export function InFlightCard() {
  const t = useTranslations('model.inFlight');
  const format = useFormat();
  const query = useInFlight(useModelName());
  const { ref, minHeight } = useTallestHeight();
  const count = query.data?.requests.length ?? 0;
  return (
    <Card title={t('title')} note={count === 0 ? null : t('note', { count: format.exact(count) })} flush>
      <div ref={ref} style={{ minHeight }}>
        <PollState query={query} loading={<OneLine />}>
          {({ requests }) =>
            requests.length === 0 ? (
              <p className="px-4 py-3.5 text-muted">{t('empty')}</p>
            ) : (
              <>
                <InFlightTable requests={requests.slice(0, SHOWN)} />
                {requests.length > SHOWN ? (
                  <p className="border-line border-t px-4 py-2.5 text-muted">
                    {t('more', { count: requests.length - SHOWN })}
                  </p>
                ) : null}
              </>
            )
          }
        </PollState>
      </div>
    </Card>
  );
}

function InFlightTable({ requests }: { readonly requests: readonly Request[] }) {
  const t = useTranslations('model.inFlight');
  const columns: [Column<Request>, ...Column<Request>[]] = [
    { header: t('started'), cell: (request) => <Age time={request.started_at} /> },
    { header: t('state'), cell: (request) => <State request={request} /> },
    {
      header: t('replica'),
      align: 'end',
      cell: ({ replica }) =>
        replica === null ? (
          <span className="text-muted">{t('engineChooses')}</span>
        ) : (
          <span className="font-semibold tabular-nums">{replica}</span>
        ),
    },
    { header: t('decision'), cell: (request) => <Decision kind={request.decision} /> },
    { header: t('session'), cell: (request) => <Session request={request} /> },
    { header: t('client'), cell: ({ client }) => client ?? <span className="text-muted">{t('unknown')}</span> },
  ];
  return (
    <Table caption={t('caption')} columns={columns} rows={requests} rowKey={(request) => String(request.id)} tall />
  );
}

function State({ request }: { readonly request: Request }) {
  const t = useTranslations('model.inFlight');
  const format = useFormat();
  const now = useNow();
  const { first_byte_at: firstByteAt } = request;
  if (firstByteAt === null) {
    return (
      <span title={t('waitingMeaning')}>
        <Pill>{t('waiting')}</Pill>
      </span>
    );
  }
  const seconds = Math.max(0, Math.round(((now ?? 0) - Date.parse(firstByteAt)) / 1000));
  return (
    <span title={t('streamingMeaning', { time: format.seconds(seconds) })}>
      <Pill tone="ok">{t('streaming')}</Pill>
    </span>
  );
}

function Session({ request }: { readonly request: Request }) {
  const t = useTranslations('model.inFlight');
  const { session, session_source: source, side } = request;
  return (
    <span>
      {session === null ? (
        <span className="text-muted">{t('noKey')}</span>
      ) : (
        <code className="font-mono text-xs">{session}</code>
      )}
      <span className="block text-faint text-xs">{side ? t('side') : source}</span>
    </span>
  );
}

/** As tall as the sentence that most often takes its place. */
function OneLine() {
  return (
    <div className="px-4 py-3.5">
      <Skeleton className="h-[1.5em]" />
    </div>
  );
}
