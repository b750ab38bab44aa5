import { type inferParserType, parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from 'nuqs';
import { decisionKind, requestOrder } from '#lib/contract/activity.ts';

/** The windows to choose from; single requests are kept for a week. */
export const WINDOWS = ['15m', '1h', '6h', '24h', '7d'] as const;

const PARAMETERS = {
  order: parseAsStringLiteral(requestOrder.options).withDefault('newest'),
  window: parseAsStringLiteral(WINDOWS),
  decision: parseAsStringLiteral(decisionKind.options),
  replica: parseAsString,
  status: parseAsString,
  client: parseAsString,
  session: parseAsString.withDefault(''),
  before: parseAsString,
};

export type RequestFilter = inferParserType<typeof PARAMETERS>;

/** What is to be another than before; null takes a narrowing away. */
export type RequestChange = { readonly [Name in keyof RequestFilter]?: RequestFilter[Name] | null };

/** What the list of requests is narrowed to and where it begins, in the address, by the names of the API's query. */
export function useRequestFilter() {
  const [filter, set] = useQueryStates(PARAMETERS);
  const { order: _, before, ...narrowing } = filter;
  return {
    filter,
    isNarrowed: Object.values(narrowing).some((value) => value !== null && value !== ''),
    /** A change of what is listed goes back to the beginning of the list. */
    narrow: (change: RequestChange) => void set({ ...change, before: null }),
    clear: () => void set({ ...EMPTY, order: filter.order }),
    /** A page further is a step in the history: the browser's back button leads to the page before. */
    goTo: (cursor: string | null) => void set({ before: cursor }, { history: 'push' }),
    isFirstPage: before === null,
  };
}

const EMPTY = {
  window: null,
  decision: null,
  replica: null,
  status: null,
  client: null,
  session: null,
  before: null,
} as const;

/** The request whose details are open, `?request=` with its id. */
export function useOpenRequest(): readonly [string | null, (id: string | null) => void] {
  const [id, setId] = useQueryState('request', parseAsString.withOptions({ history: 'push' }));
  return [id, (next) => void setId(next)];
}
