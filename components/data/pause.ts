import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let paused = false;

/** Stops all polling of this tab, or resumes it at once with fresh answers. */
export function usePauseToggle(): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    paused = !paused;
    for (const listener of listeners) listener();
    if (!paused) void client.refetchQueries({ type: 'active' });
  }, [client]);
}

/** Whether this tab has been paused by hand. */
export function usePaused(): boolean {
  return useSyncExternalStore(subscribe, read, readOnServer);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): boolean {
  return paused;
}

function readOnServer(): boolean {
  return false;
}
