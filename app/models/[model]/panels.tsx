import { AdviceCard } from '#components/advice/advice-card.tsx';
import { EnginePanel } from '#components/engine/engine-panel.tsx';
import { ModelEvents } from '#components/events/model-events.tsx';
import { ConfigurationCard } from '#components/models/configuration-card.tsx';
import { InFlightCard } from '#components/models/in-flight-card.tsx';
import { ModelRequests } from '#components/requests/model-requests.tsx';
import { ModelSessions } from '#components/sessions/model-sessions.tsx';

/** What stands below the routing card. */
export function Panels() {
  return (
    <>
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
    </>
  );
}
