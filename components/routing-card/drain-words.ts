import { useTranslations } from 'use-intl';
import type { ReplicaRouting, RoutingState } from '#lib/contract/models.ts';

type Routing = Pick<RoutingState, 'affinity' | 'replicas'>;

/** What draining a replica comes to, in sentences: for the question before it. */
export function useDrainConsequences(): (replica: ReplicaRouting, routing: Routing) => readonly string[] {
  const t = useTranslations('model.routing.drain');
  return (replica, routing) => [
    ...(isLastOpen(replica, routing) ? [t('last')] : []),
    t('moves', { sessions: replica.live_sessions }),
    t('finishes', { turns: replica.in_flight }),
    ...(staysReachable(replica, routing) ? [t('balancer')] : []),
    t('forgotten'),
  ];
}

/** No other replica takes conversations. */
export function isLastOpen(replica: ReplicaRouting, { replicas }: Routing): boolean {
  return replicas.every((one) => one === replica || one.draining || one.health !== 'up');
}

/** The engine balances its own ranks, and knows nothing of draining. */
export function staysReachable({ rank }: ReplicaRouting, { affinity }: Routing): boolean {
  return !affinity && rank !== null;
}
