import type { Metadata } from 'next';
import { EnginePanel } from '#components/engine/engine-panel.tsx';
import { ModelEvents } from '#components/events/model-events.tsx';
import { KnownModel } from '#components/models/known-model.tsx';
import { ModelRequests } from '#components/requests/model-requests.tsx';
import { RoutingCard } from '#components/routing-card/routing-card.tsx';
import { ModelSessions } from '#components/sessions/model-sessions.tsx';

/** The same static shell for every model: the client reads the name from the address. */
export const dynamic = 'force-static';

export const metadata: Metadata = { title: 'Model' };

export default function Page() {
  return (
    <KnownModel>
      <RoutingCard />
      <ModelSessions />
      <ModelRequests />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <EnginePanel />
        <ModelEvents />
      </div>
    </KnownModel>
  );
}
