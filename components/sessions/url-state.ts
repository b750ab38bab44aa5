import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from 'nuqs';
import { SESSION_STATES, type SessionFilter } from './session-filter.ts';

const PARAMETERS = {
  q: parseAsString.withDefault(''),
  client: parseAsString,
  source: parseAsString,
  home: parseAsInteger,
  state: parseAsStringLiteral(SESSION_STATES),
  page: parseAsInteger,
};

/** What the list is narrowed to, in the address; a change of it goes back to the first page. */
export function useSessionFilter() {
  const [{ page: _, ...filter }, set] = useQueryStates(PARAMETERS);
  return {
    filter,
    isNarrowed:
      filter.q !== '' || [filter.client, filter.source, filter.home, filter.state].some((one) => one !== null),
    narrow: (change: Partial<SessionFilter>) => void set({ ...change, page: null }),
    clear: () => void set(null),
  };
}

/** The session whose panel is open, `?session=` with its key. Opening and closing it is a step in the history. */
export function useOpenSession(): readonly [string | null, (key: string | null) => void] {
  const [key, setKey] = useQueryState('session', parseAsString.withOptions({ history: 'push' }));
  return [key, (next) => void setKey(next)];
}
