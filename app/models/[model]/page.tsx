import { AdviceCard } from '#components/advice/advice-card.tsx';
import { EnginePanel } from '#components/engine/engine-panel.tsx';
import { ModelEvents } from '#components/events/model-events.tsx';
import { ConfigurationCard } from '#components/models/configuration-card.tsx';
import { InFlightCard } from '#components/models/in-flight-card.tsx';
import { KnownModel } from '#components/models/known-model.tsx';
import { ModelRequests } from '#components/requests/model-requests.tsx';
import { RoutingCard } from '#components/routing-card/routing-card.tsx';
import { ModelSessions } from '#components/sessions/model-sessions.tsx';

/** A static shell: the client reads the name from the address and fetches the rest. */
export const dynamic = 'force-static';

export default function Page() {
  return (
    <KnownModel>
      <RoutingCard />
      <InFlightCard />
      <ModelSessions />
      <AdviceCard />
      <ModelRequests />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <EnginePanel />
        <div className="space-y-5">
          <ConfigurationCard />
          <ModelEvents />
        </div>
      </div>
    </KnownModel>
  );
}
