import type { english } from './english.ts';

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof english;
    Locale: 'en' | 'hi';
  }
}
