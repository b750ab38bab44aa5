import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { Drawer } from '#components/activity/drawer.tsx';
import { Facts } from '#components/activity/facts.tsx';
import { useMiss } from '#components/activity/use-miss.ts';
import { useSessionDetail } from '#components/data/activity.ts';
import { useFailure } from '#components/data/failure.ts';
import { modelHref } from '#components/data/model-name.ts';
import { useMayChange } from '#components/data/session.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Age } from '#components/ui/age.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { SessionDetail, SessionEntry } from '#lib/contract/activity.ts';
import { SessionActions } from './session-actions.tsx';
import { SessionState } from './session-state.tsx';
import { TurnsSection } from './turns-section.tsx';

type Props = { readonly session: string; readonly onClose: () => void };

/** One conversation: where it lives, what its turns read from the cache and why the last one missed, and what can be done. */
export function SessionPanel({ session, onClose }: Props) {
  const t = useTranslations('sessions.panel');
  const query = useSessionDetail(session);
  const failure = useFailure(query);
  const isUnknown = query.data === undefined && failure?.status === 404;
  return (
    <Drawer title={t('title', { session })} actions={<CopyButton text={session} label={t('copy')} />} onClose={onClose}>
      {isUnknown ? (
        <Empty title={t('notThere')}>{t('gone')}</Empty>
      ) : (
        <PollState query={query} loading={<Skeleton className="m-4 h-96" />}>
          {(detail) => <Content session={session} detail={detail} />}
        </PollState>
      )}
    </Drawer>
  );
}

function Content({ session, detail }: { readonly session: string; readonly detail: SessionDetail }) {
  const t = useTranslations('sessions.panel');
  const miss = useMiss();
  const mayChange = useMayChange();
  const entry = detail.session;
  const why = entry === null ? null : miss(entry.last_miss, entry.last_miss_code);
  return (
    <div className="space-y-5 p-4">
      {entry === null ? <p className="text-muted">{t('gone')}</p> : <SessionFacts entry={entry} />}
      {why === null ? null : (
        <section aria-label={t('why')} className="rounded-md bg-subtle px-3 py-2.5">
          <h3 className="font-medium text-xs">{t('why')}</h3>
          <p className="mt-0.5 text-muted">{why}</p>
        </section>
      )}
      <TurnsSection session={session} turns={detail.turns} hasMore={detail.has_more} />
      <p>
        <TextLink href={`/requests?session=${session}`}>{t('requests')}</TextLink>
      </p>
      {entry !== null && mayChange ? <SessionActions entry={entry} /> : null}
    </div>
  );
}

function SessionFacts({ entry }: { readonly entry: SessionEntry }) {
  const t = useTranslations('sessions');
  const format = useFormat();
  return (
    <Facts
      label={t('panel.facts')}
      facts={[
        { name: t('table.client'), value: entry.client ?? <span className="text-muted">{t('unknownClient')}</span> },
        { name: t('source'), value: <span className="break-all">{entry.source}</span> },
        {
          name: t('table.model'),
          value: (
            <Link href={modelHref(entry.model)} className="break-all hover:underline">
              {entry.model}
            </Link>
          ),
        },
        {
          name: t('table.home'),
          value: entry.home === null ? t('table.noHome') : <b>{t('replica', { replica: String(entry.home) })}</b>,
        },
        { name: t('table.state'), value: <SessionState session={entry} /> },
        { name: t('table.turns'), value: format.exact(entry.turns) },
        {
          name: `${t('table.context')}, ${t('table.tokens')}`,
          value: <Reported value={entry.context_tokens} format={format.exact} />,
        },
        {
          name: `${t('table.cached')}, ${t('table.ofLastTurn')}`,
          value: <Reported value={entry.last_hit_percent} format={(share) => format.percent(share)} />,
        },
        { name: t('table.spills'), value: format.exact(entry.spills) },
        { name: t('table.lastSeen'), value: <Age time={entry.last_seen} /> },
      ]}
    />
  );
}
