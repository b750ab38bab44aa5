'use client';

import { useSettings } from '#components/data/settings.ts';
import { WithWords } from '#components/language/with-words.tsx';
import { settings } from '#components/messages/en/settings.ts';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { AboutCard } from './about-card.tsx';
import { BrowserCard } from './browser-card.tsx';
import { ConfigurationCard } from './configuration-card.tsx';
import { DatabaseCard } from './database-card.tsx';
import { RetentionCard } from './retention-card.tsx';

/** What the process runs with and where that comes from, what it keeps, and what the reader sees it in. */
export function SettingsPage() {
  return (
    <WithWords english={WORDS}>
      <Content />
    </WithWords>
  );
}

const WORDS = { settings } as const;

function Content() {
  const query = useSettings();
  return (
    <div className="space-y-5">
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <div className="space-y-5">
          <BrowserCard />
          <PollState query={query} loading={<Skeleton className="h-120" />} className="">
            {({ retention }) => <RetentionCard kept={retention} />}
          </PollState>
        </div>
        <div className="space-y-5">
          <DatabaseCard />
          {query.data ? <AboutCard settings={query.data} /> : null}
        </div>
      </div>
      {query.data ? <ConfigurationCard settings={query.data} /> : null}
    </div>
  );
}
