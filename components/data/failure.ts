import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiError } from './client.ts';

/**
 * Why a query has failed. While there is no data the reason stays between polls: React Query forgets it whenever it asks
 * again, and the page would blink between the reason and the placeholder. Null while the first answer is waited for.
 */
export function useFailure<T>(query: UseQueryResult<T, ApiError>): ApiError | null {
  const [kept, setKept] = useState<ApiError | null>(null);
  const { data, error, failureReason } = query;
  const failure = data === undefined ? (error ?? failureReason ?? kept) : error;
  if (failure !== kept) setKept(failure);
  return failure;
}

/** Whether the first answer is still waited for. */
export function useIsWaiting<T>(query: UseQueryResult<T, ApiError>): boolean {
  const failure = useFailure(query);
  return query.data === undefined && failure === null;
}
