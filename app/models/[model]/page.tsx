import { KnownModel } from '#components/models/known-model.tsx';
import { RoutingCard } from '#components/routing-card/routing-card.tsx';
import { LazyPanels } from './lazy-panels.ts';

/** A static shell: the client reads the name from the address and fetches the rest. */
export const dynamic = 'force-static';

export default function Page() {
  return (
    <KnownModel>
      <RoutingCard />
      <LazyPanels />
    </KnownModel>
  );
}
