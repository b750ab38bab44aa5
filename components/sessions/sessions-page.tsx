'use client';

import { Search } from 'lucide-react';
import { parseAsString, useQueryState } from 'nuqs';
import { ModelPicker } from '#components/data/model-picker.tsx';
import { useSessions } from '#components/data/queries.ts';
import { useModelFilter } from '#components/data/url-state.ts';
import { Card } from '#components/ui/card.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { Homes } from './homes.tsx';
import { NoSessions } from './no-sessions.tsx';
import { type Session, SessionTable } from './session-table.tsx';

/** Every conversation that has a home, newest first. */
export function SessionsPage() {
  const [model] = useModelFilter();
  const [search, setSearch] = useQueryState('q', parseAsString.withDefault(''));
  const query = useSessions(model);
  const found = (query.data?.sessions ?? []).filter((session) => matches(session, search));
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap gap-2">
        <ModelPicker />
        <label className="relative flex min-w-48 items-center">
          <span className="sr-only">Search by session or client</span>
          <Search aria-hidden="true" className="pointer-events-none absolute left-2.5 size-4 text-faint" />
          <input
            type="search"
            value={search}
            placeholder="Session or client"
            onChange={(event) => void setSearch(event.target.value || null)}
            className="h-8 w-full rounded-md border border-line-strong bg-raised pr-2.5 pl-8 placeholder:text-faint"
          />
        </label>
      </div>
      {found.length === 0 ? null : (
        <Card title="Homes" note="sessions and context per replica">
          <Homes sessions={found} />
        </Card>
      )}
      <Card title="Live sessions" note={query.data ? found.length : null} flush>
        <PollState query={query} loading={<Skeleton className="m-4 h-64" />}>
          {({ sessions }) => {
            if (sessions.length === 0) return <NoSessions />;
            if (found.length === 0) return <Empty title={`No session matches “${search}”`} />;
            return <SessionTable sessions={found} withModel={model === null} />;
          }}
        </PollState>
      </Card>
    </div>
  );
}

function matches(session: Session, search: string): boolean {
  const text = search.trim().toLowerCase();
  return session.key.includes(text) || (session.client ?? '').toLowerCase().includes(text);
}
