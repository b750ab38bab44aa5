import { useSyncExternalStore } from 'react';
import { THEME_KEY } from './theme-script.ts';

export type Theme = 'system' | 'light' | 'dark';

const listeners = new Set<() => void>();

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, read, () => 'system');
}

/** Remembers the choice in this browser and applies it at once. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Storage may be switched off: nothing is remembered, and the page stays as it is.
  }
  dispatchEvent(new Event(THEME_KEY));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

function read(): Theme {
  try {
    const chosen = localStorage.getItem(THEME_KEY);
    return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
  } catch {
    return 'system';
  }
}
