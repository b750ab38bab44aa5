import type { ReplicaRouting, RoutingState } from '#lib/contract/models.ts';
import { formatExact } from '#lib/format/tokens.ts';

type Routing = Pick<RoutingState, 'affinity' | 'replicas'>;

/** What draining a replica comes to, in sentences: for the question before it. */
export function drainConsequences(replica: ReplicaRouting, { affinity, replicas }: Routing): readonly string[] {
  const isLastOpen = replicas.every((one) => one === replica || one.draining || one.health !== 'up');
  return [
    ...(isLastOpen ? ['No other replica takes conversations: until one does, they go on coming here.'] : []),
    `It gets no new conversations. ${residents(replica.live_sessions)}`,
    running(replica.in_flight),
    ...(affinity || replica.rank === null
      ? []
      : ["Affinity is off: the engine's own balancer decides, and still sends turns here."]),
    'LM Warden forgets this when it restarts.',
  ];
}

function residents(sessions: number): string {
  const moving = 'with their next turn, which reads their history there once.';
  if (sessions === 0) return `Those that live here move out ${moving}`;
  if (sessions === 1) return 'The live session here moves out with its next turn, which reads its history there once.';
  return `The ${formatExact(sessions)} live sessions here move out ${moving}`;
}

function running(inFlight: number): string {
  if (inFlight === 0) return 'Turns in flight finish here.';
  return inFlight === 1 ? 'The turn in flight here finishes.' : `The ${inFlight} turns in flight here finish.`;
}
