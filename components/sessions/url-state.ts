import { debounce, parseAsInteger, parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from 'nuqs';
import { useCallback, useMemo } from 'react';
import { SESSION_STATES, type SessionFilter } from './session-filter.ts';

const PARAMETERS = {
  q: parseAsString.withDefault(''),
  client: parseAsString,
  source: parseAsString,
  home: parseAsInteger,
  state: parseAsStringLiteral(SESSION_STATES),
  page: parseAsInteger,
};

const ADDRESS_AFTER_MS = 300;

/** What the list is narrowed to, in the address; a change of it goes back to the first page. */
export function useSessionFilter() {
  const [values, set] = useQueryStates(PARAMETERS);
  const filter = useMemo(() => {
    const { page: _, ...rest } = values;
    return rest;
  }, [values]);
  return {
    filter,
    isNarrowed:
      filter.q !== '' || [filter.client, filter.source, filter.home, filter.state].some((one) => one !== null),
    narrow: (change: Partial<SessionFilter>) =>
      // Next draws the page anew for each new address: one for a word, not for each of its letters.
      void set({ ...change, page: null }, change.q ? { limitUrlUpdates: debounce(ADDRESS_AFTER_MS) } : {}),
    clear: () => void set(null),
  };
}

/** The session whose panel is open, `?session=` with its key. Opening and closing it is a step in the history. */
export function useOpenSession(): readonly [string | null, (key: string | null) => void] {
  const [key, setKey] = useQueryState('session', parseAsString.withOptions({ history: 'push' }));
  return [key, useCallback((next) => void setKey(next), [setKey])];
}
