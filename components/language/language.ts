import { useSyncExternalStore } from 'react';
import type { FormatLanguage } from '#lib/format/language.ts';
import { LANGUAGE_KEY } from './language-script.ts';

/** The languages of the console, each by its own name. */
export const LANGUAGES = { en: 'English', hi: 'हिन्दी' } as const satisfies Record<FormatLanguage, string>;
export type Language = keyof typeof LANGUAGES;

const listeners = new Set<() => void>();

/** The reader's language; English in the static shells, which know no reader. */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, readerLanguage, () => 'en');
}

/** Remembers the choice in this browser and applies it at once, in its other tabs too. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch {
    // Storage may be switched off: nothing is remembered, and the page stays as it is.
  }
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

/** What the reader chose in this browser, else what the browser asks for. Not for rendering: useLanguage is. */
export function readerLanguage(): Language {
  try {
    const chosen = localStorage.getItem(LANGUAGE_KEY);
    if (chosen === 'en' || chosen === 'hi') return chosen;
  } catch {
    // As above: then the browser's own languages decide.
  }
  return navigator.language.startsWith('hi') ? 'hi' : 'en';
}
