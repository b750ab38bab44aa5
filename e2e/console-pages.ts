import type { Locator, Page } from 'playwright/test';
import { MODEL } from './turns.ts';

/** Each page of the console, and something that stands on it, in any language, once its data is there. */
export const CONSOLE_PAGES: readonly { readonly path: string; readonly shows: (page: Page) => Locator }[] = [
  { path: '/', shows: (page) => page.getByRole('article').first() },
  { path: `/models/${MODEL}`, shows: (page) => page.getByRole('main').getByRole('table').first() },
  { path: '/stats', shows: (page) => page.getByRole('main').getByRole('img').first() },
  { path: '/sessions', shows: (page) => page.getByRole('main').getByRole('table').first() },
  { path: '/requests', shows: (page) => page.getByRole('main').getByRole('table').first() },
  { path: '/benchmark', shows: (page) => page.getByRole('main').getByRole('form').first() },
  { path: '/connect', shows: (page) => page.getByRole('main').locator('pre').first() },
  { path: '/fleet', shows: (page) => page.getByRole('main').getByRole('region').first() },
  { path: '/access', shows: (page) => page.getByRole('main').getByRole('region').nth(1) },
  { path: '/settings', shows: (page) => page.getByRole('main').getByRole('table').nth(1) },
];
