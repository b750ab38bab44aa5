import { usePoll } from '#components/data/poll.ts';
import type { Asked } from '#components/data/series-queries.ts';
import { auditList, keyList, peopleList } from '#lib/contract/access.ts';

const LIST_MS = 15_000;

/** The query keys of all that this page lists. */
export const ACCESS_KEYS = { all: ['access'] as const };

/** The keys, with what each used in a window. */
export function useKeys(window: Asked['window']) {
  const search = new URLSearchParams(typeof window === 'string' ? { window } : window);
  return usePoll({
    key: [...ACCESS_KEYS.all, 'keys', window],
    path: `/api/keys?${search}`,
    schema: keyList,
    everyMs: LIST_MS,
    keepPrevious: true,
  });
}

export function usePeople() {
  return usePoll({ key: [...ACCESS_KEYS.all, 'people'], path: '/api/people', schema: peopleList, everyMs: LIST_MS });
}

/** As they stand in the address of the page; null: any. */
export type AuditSearch = {
  readonly actor: string | null;
  readonly action: string | null;
  readonly text: string | null;
  readonly before: string | null;
};

export function auditPath(search: AuditSearch, limit: number): string {
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries(search)) if (value !== null && value !== '') query.set(name, value);
  return `/api/audit?${query}`;
}

export function useAudit(search: AuditSearch, limit: number) {
  const path = auditPath(search, limit);
  return usePoll({
    key: [...ACCESS_KEYS.all, 'audit', path],
    path,
    schema: auditList,
    everyMs: LIST_MS,
    keepPrevious: true,
  });
}
