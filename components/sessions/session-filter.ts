import { isClient } from '#components/activity/client-options.ts';
import { searchRows } from '#components/ui/search-rows.ts';
import type { SessionEntry } from '#lib/contract/activity.ts';

export const SESSION_STATES = ['held', 'active', 'idle'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** What the list of sessions is narrowed to; null: not by this. */
export type SessionFilter = {
  readonly q: string;
  readonly client: string | null;
  readonly source: string | null;
  readonly home: number | null;
  readonly state: SessionState | null;
};

/** `held`: its turn waits in the router; `active`: a turn of it is in flight. */
export function stateOf({ held_seconds, in_flight }: SessionEntry): SessionState {
  if (held_seconds !== null) return 'held';
  return in_flight > 0 ? 'active' : 'idle';
}

/** The sessions that are left under a filter, in their order. */
export function filterSessions(sessions: readonly SessionEntry[], filter: SessionFilter): readonly SessionEntry[] {
  const { q, client, source, home, state } = filter;
  const found = sessions.filter(
    (session) =>
      (client === null || isClient(session.client, client)) &&
      (source === null || session.source === source) &&
      (home === null || session.home === home) &&
      (state === null || stateOf(session) === state),
  );
  return searchRows(found, q, (session) => [session.key, session.client, session.source, session.model]);
}

/** The homes and sources that the sessions have, in order, to choose from. */
export function choicesOf(sessions: readonly SessionEntry[]) {
  const homes = [...new Set(sessions.map(({ home }) => home))].filter((home) => home !== null);
  return {
    clients: sessions.flatMap(({ client }) => client ?? []),
    homes: homes.sort((a, b) => a - b),
    sources: [...new Set(sessions.map(({ source }) => source))].sort(),
  };
}
