import { useState } from 'react';
import type { InFlightList, RequestEntry, RequestList } from '#lib/contract/activity.ts';

export type Arrival = Pick<RequestEntry, 'client' | 'session' | 'replica' | 'decision' | 'time'>;

type Seen = {
  readonly inFlight: InFlightList | undefined;
  readonly finished: RequestList | undefined;
  readonly ownIds: readonly string[];
};

/** What the router calls browsers, from which the page's own test turns come, and the sessions of the demo. */
const NO_CLIENT = /^(?:Mozilla|synthetic-agent)\//;

/**
 * The first request that came after the page was opened, in flight or finished; null until there is one. Opened means the
 * first answer's own time: a request that ended just before it may still be missing in the first list of finished ones,
 * and only times of the router are compared, whatever the clock of this browser says.
 */
export function useFirstArrival({ inFlight, finished, ownIds }: Seen): Arrival | null {
  const [since, setSince] = useState<number | null>(null);
  const [arrival, setArrival] = useState<Arrival | null>(null);
  if (inFlight === undefined || finished === undefined) return arrival;
  if (arrival !== null) return arrival;
  if (since === null) {
    setSince(Date.parse(inFlight.time));
    return null;
  }
  const first = arrivalsOf(inFlight, finished, ownIds)
    .filter(({ time }) => Date.parse(time) > since)
    .sort((a, b) => a.time.localeCompare(b.time))[0];
  if (first !== undefined) setArrival(first);
  return first ?? null;
}

function arrivalsOf({ requests: running }: InFlightList, { requests }: RequestList, ownIds: readonly string[]) {
  const arrivals: Arrival[] = [
    ...running.map(({ client, session, replica, decision, started_at }) => ({
      client,
      session,
      replica,
      decision,
      time: started_at,
    })),
    ...requests.filter(({ id }) => !ownIds.includes(id)),
  ];
  return arrivals.filter(({ client }) => client === null || !NO_CLIENT.test(client));
}
