import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let paused = false;

/** Stops and resumes all polling of this tab. */
export function togglePaused(): void {
  paused = !paused;
  for (const listener of listeners) listener();
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
