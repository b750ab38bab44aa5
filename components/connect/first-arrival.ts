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
 * The first request that came after the page was opened, in flight or finished; null until there is one. What the first
 * answers show had been there before. Only times of the router are compared, whatever the clock of this browser says.
 */
export function useFirstArrival({ inFlight, finished, ownIds }: Seen): Arrival | null {
  const [since, setSince] = useState<number | null>(null);
  const [arrival, setArrival] = useState<Arrival | null>(null);
  if (inFlight === undefined || finished === undefined) return arrival;
  const all = arrivalsOf(inFlight, finished, ownIds);
  if (since === null) {
    setSince(Math.max(0, ...all.map(({ time }) => Date.parse(time))));
    return null;
  }
  if (arrival !== null) return arrival;
  const first = all.filter(({ time }) => Date.parse(time) > since).sort((a, b) => a.time.localeCompare(b.time))[0];
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
