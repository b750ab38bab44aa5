import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';

const PARAMETER = 'paused';

const listeners = new Set<() => void>();
/** Null until it has been read from the address that the page was opened with. */
let paused: boolean | null = null;

/** Stops all polling of this tab, or resumes it at once with fresh answers. */
export function usePauseToggle(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    paused = !read();
    writeToAddress();
    for (const listener of listeners) listener();
    if (!paused) void client.refetchQueries({ type: 'active' });
  }, [client]);
}

/** Whether this tab has been paused by hand. */
export function usePaused(): boolean {
  return useSyncExternalStore(subscribe, read, readOnServer);
}

/** Keeps `?paused=true` in the address from page to page, so that what is looked at can be handed on as a link. */
export function usePauseInAddress(path: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the way to another page that loses the parameter
  useEffect(writeToAddress, [path]);
}

function writeToAddress(): void {
  const search = new URLSearchParams(location.search);
  if (search.has(PARAMETER) === read()) return;
  if (read()) search.set(PARAMETER, 'true');
  else search.delete(PARAMETER);
  const query = search.size > 0 ? `?${search}` : '';
  history.replaceState(null, '', location.pathname + query + location.hash);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): boolean {
  paused ??= new URLSearchParams(location.search).has(PARAMETER);
  return paused;
}

function readOnServer(): boolean {
  return false;
}
