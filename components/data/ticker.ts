import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;
let now = 0;

/**
 * The time in ms since the epoch, moving once a second for the whole page; null in the static shell, which has no time.
 * One timer for all ages on screen, none while nothing shows an age.
 */
export function useNow(): number | null {
  return useSyncExternalStore(subscribe, read, readOnServer);
}

/**
 * What the time makes of something, "" in the static shell. The component is drawn again only when the text changes: not
 * each second for an age in minutes.
 */
export function useTicking(text: (now: number) => string): string {
  return useSyncExternalStore(
    subscribe,
    () => text(read()),
    () => '',
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** Between ticks the value must not change, or React would render without end; a stale one is renewed on first read. */
function read(): number {
  if (timer === null || now === 0) {
    const fresh = Date.now();
    if (fresh - now >= 1000) now = fresh;
  }
  return now;
}

function readOnServer(): null {
  return null;
}
