import { useSyncExternalStore } from 'react';

/*
 * The instant that the pointer or the keyboard is at, over all charts of the page. The charts keep it in step among
 * themselves; here it is for what stands beside them.
 */
type Cursor = { readonly owner: string; readonly time: number | null };

const listeners = new Set<() => void>();
let cursor: Cursor = { owner: '', time: null };

/** A chart tells where its cursor is. That it has none counts only from the chart that spoke last. */
export function moveCursor(owner: string, time: number | null): void {
  if (time === null && owner !== cursor.owner) return;
  if (time === cursor.time) return;
  cursor = { owner, time };
  for (const listener of listeners) listener();
}

/** Start of the bucket in ms; null while no chart is pointed at. */
export function useCursorTime(): number | null {
  return useSyncExternalStore(subscribe, read, () => null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): number | null {
  return cursor.time;
}
