import { type QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type ApiError, getJson } from './client.ts';
import { usePaused } from './pause.ts';

export type Poll<S extends z.ZodType> = {
  readonly key: readonly unknown[];
  readonly path: string;
  readonly schema: S;
  readonly everyMs: number;
  /** Keep showing the answer of the key before (another range or filter) until the new one is there. */
  readonly keepPrevious?: boolean;
  /** False: not asked for (yet). */
  readonly enabled?: boolean;
};

/** A query that refetches itself while the tab is visible and not paused, and keeps its data when a refetch fails. */
export function usePoll<S extends z.ZodType>(poll: Poll<S>): UseQueryResult<z.output<S>, ApiError> {
  const client = useQueryClient();
  const paused = usePaused();
  return useQuery<z.output<S>, ApiError>({
    queryKey: poll.key,
    queryFn: ({ signal }) => getJson(poll.path, poll.schema, signal),
    refetchInterval: paused ? false : poll.everyMs,
    refetchOnWindowFocus: !paused,
    staleTime: poll.everyMs,
    enabled: poll.enabled ?? true,
    ...(poll.keepPrevious
      ? { placeholderData: (previous) => (hasFailed(client, poll.key) ? undefined : previous) }
      : {}),
  });
}

/** What failed is asked for again and again: the answer of the key before would come and go with the reason. */
function hasFailed(client: QueryClient, key: readonly unknown[]): boolean {
  return (client.getQueryState(key)?.errorUpdateCount ?? 0) > 0;
}
