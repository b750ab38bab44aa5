import { useSyncExternalStore } from 'react';

/** Where this console, and so the router, is reached from this browser; null in the static shell. */
export function useOrigin(): string | null {
  return useSyncExternalStore(
    () => () => {},
    () => location.origin,
    () => null,
  );
}
