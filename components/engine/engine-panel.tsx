'use client';

import { useTranslations } from 'use-intl';
import { useRouting } from '#components/data/queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { Age } from '#components/ui/age.tsx';
import { Card } from '#components/ui/card.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { RoutingState } from '#lib/contract/models.ts';
import { RequestChanges, unroutedPaths } from './request-changes.tsx';
import { WaitingForEngine } from './waiting-for-engine.tsx';

/** The engine behind the model: what it is, how fresh its numbers are, and what it cannot do or say. */
export function EnginePanel() {
  const t = useTranslations('model.engine');
  const { data } = useRouting(useModelName());
  return <Card title={t('title')}>{data ? <Facts state={data} /> : <Skeleton className="h-28" />}</Card>;
}

function Facts({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.engine');
  const { engine } = state;
  const unrouted = unroutedPaths(state);
  return (
    <div className="space-y-4">
      {engine.error === null ? null : (
        <Notice tone={engine.available ? 'warn' : 'bad'} title={t(engine.available ? 'lastFailed' : 'noReading')}>
          {engine.error}
        </Notice>
      )}
      <WaitingForEngine requests={state.waiting_for_engine} />
      {state.replicas.length === 0 ? <p className="text-muted">{t('noReplica')}</p> : null}
      <FactList>
        {state.replicas.length === 0 ? null : <Readings state={state} />}
        <RequestChanges state={state} />
        {unrouted.length === 0 ? null : (
          <Fact name={t('neverPinned')}>
            <p className="text-muted">{t('neverPinnedWhy')}</p>
            <ul className="mt-1 font-mono text-xs leading-5">
              {unrouted.map((path) => (
                <li key={path}>{path}</li>
              ))}
            </ul>
          </Fact>
        )}
      </FactList>
    </div>
  );
}

/** What the replicas tell of themselves. */
function Readings({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.engine');
  const { engine } = state;
  return (
    <>
      <Identity state={state} />
      <Fact name={t('lastReading')}>
        {engine.scraped_at === null ? t('noneYet') : <Age time={engine.scraped_at} />}
      </Fact>
      <Restarted at={engine.restarted_at} />
      <Fact name={t('notReported')}>
        {engine.scraped_at === null ? t('unread') : <NotReported codes={engine.not_reported_codes} />}
      </Fact>
    </>
  );
}

function Identity({ state }: { readonly state: RoutingState }) {
  const t = useTranslations('model.engine');
  const { version, scraped_at: readAt } = state.engine;
  const urls = [...new Set(state.replicas.map((replica) => replica.url))];
  return (
    <>
      <Fact name={t('version')}>{version ?? t(readAt === null ? 'unread' : 'unknownVersion')}</Fact>
      <Fact name={t(urls.length === 1 ? 'address' : 'addresses')}>
        {urls.map((url) => (
          <span key={url} className="block break-all font-mono text-xs leading-5">
            {url}
          </span>
        ))}
      </Fact>
    </>
  );
}

function Restarted({ at }: { readonly at: string | null }) {
  const t = useTranslations('model.engine');
  if (at === null) return null;
  return <Fact name={t('restarted')}>{t.rich('restartedCold', { age: () => <Age time={at} /> })}</Fact>;
}

function NotReported({ codes }: { readonly codes: RoutingState['engine']['not_reported_codes'] }) {
  const t = useTranslations('model.engine');
  if (codes.length === 0) return t('nothingMissing');
  return (
    <ul className="space-y-1">
      {codes.map((code) => (
        <li key={code}>{t(`lacks.${code}`)}</li>
      ))}
    </ul>
  );
}
