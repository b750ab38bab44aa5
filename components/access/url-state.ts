import { parseAsString, parseAsStringLiteral, useQueryState, useQueryStates } from 'nuqs';
import type { AuditSearch } from './queries.ts';

const PARSERS = { actor: parseAsString, action: parseAsString, text: parseAsString, before: parseAsString };

/** The filters of the audit list, and its page, in the address. */
export function useAuditSearch() {
  const [search, setSearch] = useQueryStates(PARSERS, { throttleMs: 300 });
  const { actor, action, text } = search;
  return {
    search: search satisfies AuditSearch,
    isNarrowed: [actor, action, text].some((value) => value !== null),
    narrow(changed: { readonly [Name in 'actor' | 'action' | 'text']?: string }) {
      const filters = Object.entries(changed).map(([name, value]) => [name, value === '' ? null : value]);
      void setSearch({ ...Object.fromEntries(filters), before: null });
    },
    goTo: (before: number | null) => void setSearch({ before: before === null ? null : String(before) }),
    clear: () => void setSearch(null),
  };
}

export const USAGE_WINDOWS = ['24h', '7d', '30d'] as const;

/** The window of the usage by key, `?usage=`. */
export function useUsageWindow() {
  return useQueryState('usage', parseAsStringLiteral(USAGE_WINDOWS).withDefault('24h'));
}
