'use client';

import { useRouting } from '#components/data/queries.ts';
import { useModelName } from '#components/data/url-state.ts';
import { Age } from '#components/ui/age.tsx';
import { Card } from '#components/ui/card.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { RoutingState } from '#lib/contract/models.ts';
import { Fact } from './fact.tsx';
import { RequestChanges, unroutedPaths } from './request-changes.tsx';
import { WaitingForEngine } from './waiting-for-engine.tsx';

/** The engine behind the model: what it is, how fresh its numbers are, and what it cannot do or say. */
export function EnginePanel() {
  const { data } = useRouting(useModelName());
  return <Card title="Engine">{data ? <Facts state={data} /> : <Skeleton className="h-28" />}</Card>;
}

function Facts({ state }: { readonly state: RoutingState }) {
  const { engine } = state;
  const unrouted = unroutedPaths(state);
  const urls = [...new Set(state.replicas.map((replica) => replica.url))];
  return (
    <div className="space-y-4">
      {engine.error === null ? null : (
        <Notice
          tone={engine.available ? 'warn' : 'bad'}
          title={engine.available ? 'Last reading failed' : 'No reading'}
        >
          {engine.error}
        </Notice>
      )}
      <WaitingForEngine requests={state.waiting_for_engine} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <Fact name="Version">{engine.version ?? 'not reported'}</Fact>
        <Fact name={urls.length === 1 ? 'Address' : 'Addresses'}>
          {urls.map((url) => (
            <span key={url} className="block break-all font-mono text-xs leading-5">
              {url}
            </span>
          ))}
        </Fact>
        <Fact name="Last reading">{engine.scraped_at === null ? 'none yet' : <Age time={engine.scraped_at} />}</Fact>
        {engine.restarted_at === null ? null : (
          <Fact name="Restarted">
            <Age time={engine.restarted_at} />: its cache and counters started empty
          </Fact>
        )}
        <Fact name="Not reported">
          {engine.not_reported.length === 0 ? 'nothing is missing' : <Lines lines={engine.not_reported} />}
        </Fact>
        <RequestChanges state={state} />
        {unrouted.length === 0 ? null : (
          <Fact name="Unrouted paths">
            <p className="text-muted">
              One URL with several ranks: on these paths the engine ignores the pin, so it balances them itself.
            </p>
            <Lines lines={unrouted} mono />
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Lines({ lines, mono = false }: { readonly lines: readonly string[]; readonly mono?: boolean }) {
  return (
    <ul className={mono ? 'mt-1 font-mono text-xs leading-5' : undefined}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
