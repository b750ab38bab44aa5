// Every page of the console in both languages, both themes, on a phone and on a desk, into screenshots/ (not in git):
// to be looked at.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from './build-steps.mjs';

const FOLDER = join(root, 'screenshots');
const LANGUAGES = ['en', 'hi'];
const THEMES = ['light', 'dark'];
const WIDTHS = [1280, 360];
const HEIGHT = 900;
/** For the first answers of the API, and charts that measure their box. */
const SETTLE_MS = 1500;

/** `pages`: `{ name, path, prepare? }`. One load for each language and width; the theme follows at once. */
export async function takeEveryPage(browser, origin, pages) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const language of LANGUAGES) {
    for (const width of WIDTHS) {
      const context = await browser.newContext({
        viewport: { width, height: HEIGHT },
        locale: language === 'hi' ? 'hi-IN' : 'en-GB',
        reducedMotion: 'reduce',
      });
      for (const page of pages) await takePage(await context.newPage(), origin, { ...page, language, width });
      await context.close();
    }
  }
  console.log(`screenshots/: ${pages.length} pages, ${LANGUAGES.length * WIDTHS.length * THEMES.length} pictures each`);
}

async function takePage(page, origin, { name, path, prepare, language, width }) {
  await page.goto(origin + path);
  await page.getByRole('main').waitFor();
  await wait(SETTLE_MS);
  await prepare?.(page);
  // What is drawn only once it is seen: a window as tall as the page, for a moment.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.min(6000, height) });
  await wait(700);
  await page.setViewportSize({ width, height: HEIGHT });
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(FOLDER, `${name}-${width}-${language}-${colorScheme}.png`), fullPage: true });
  }
  await page.close();
}
