import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, type Page } from 'playwright/test';
import { z } from 'zod';
import { overflow } from './axe.ts';
import { type BuiltWarden, startBuiltWarden } from './built-warden.ts';
import { CONSOLE_PAGES } from './console-pages.ts';
import { LAYOUT_SHIFT, shiftsOf, watchShifts } from './layout-shifts.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

const build = new URL('../.next/', import.meta.url);
/** Of compressed script, before a page works. Charts come after it, and for readers of Hindi their words. */
const FIRST_LOAD_BYTES = 300_000;

let warden: BuiltWarden;
test.beforeAll(async () => {
  warden = await startBuiltWarden();
  for (let turn = 0; turn < 3; turn += 1) await sendTurn(warden.url, { session: randomUUID() });
});
test.afterAll(() => warden.dispose());

test('every page is a static shell: nothing is rendered for a request', () => {
  const manifest = z
    .object({ routes: z.record(z.string(), z.unknown()), dynamicRoutes: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(new URL('prerender-manifest.json', build), 'utf8')));
  const folders = readdirSync(new URL('../app/', import.meta.url), { recursive: true, encoding: 'utf8' });
  const pages = folders
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`);
  expect(pages.length).toBeGreaterThan(7);
  // The page of a model is made for a name when it is first asked for, and is static from then on.
  expect(Object.keys(manifest.dynamicRoutes)).toEqual(['/models/[model]']);
  expect(pages.filter((page) => !(page in manifest.routes) && !(page in manifest.dynamicRoutes))).toEqual([]);
});

test('the first load of every page is less than 300 kB of compressed script', async () => {
  const sizes: Record<string, number> = {};
  for (const { path } of CONSOLE_PAGES) {
    const html = await (await fetch(warden.url + path)).text();
    const scripts = new Set([...html.matchAll(/<script[^>]+src="([^"]+\.js[^"]*)"/g)].flatMap(([, src]) => src ?? []));
    expect(scripts.size).toBeGreaterThan(3);
    let bytes = 0;
    for (const src of scripts) {
      const answer = await fetch(new URL(src, warden.url));
      expect(answer.status).toBe(200);
      // Polyfills for browsers that know no modules are not loaded by those that do.
      if (!new RegExp(`src="${src.replaceAll(/[.?*+^$]/g, '\\$&')}"[^>]*noModule`).test(html)) {
        bytes += gzipSync(Buffer.from(await answer.arrayBuffer())).length;
      }
    }
    sizes[path] = bytes;
  }
  console.log('first load, bytes of gzip:', JSON.stringify({ ...sizes, hindi: hindiChunkBytes() }));
  for (const [path, bytes] of Object.entries(sizes)) expect(bytes, path).toBeLessThan(FIRST_LOAD_BYTES);
});

/** The chunk that only readers of Hindi load; known by a word of it. */
function hindiChunkBytes(): number {
  const folder = fileURLToPath(new URL('static/chunks/', build));
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const texts = files.map((file) => readFileSync(folder + file, 'utf8'));
  return texts.filter((text) => text.includes('कीबोर्ड शॉर्टकट')).reduce((sum, text) => sum + gzipSync(text).length, 0);
}

for (const width of [1280, 360]) {
  test(`${width} px wide, nothing jumps on any page, neither when its data comes nor while it is live`, async ({
    browser,
  }) => {
    const seen: Promise<void>[] = [];
    for (const { path, shows } of CONSOLE_PAGES) {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      await watchShifts(page);
      await page.goto(warden.url + path);
      await expect(shows(page), path).toBeVisible();
      // While it is polled the next page is opened.
      seen.push(expectStill(page, path));
    }
    await Promise.all(seen);
  });
}

/**
 * Through a poll of the live numbers, up to the next one: by then the answer to the first has been on screen as long as
 * the page waits between the two. No new turn comes: a list that has its newest row on top moves by what it is for.
 */
async function expectStill(page: Page, path: string): Promise<void> {
  await page.waitForResponse(/\/api\/status/);
  await page.waitForRequest(/\/api\/status/);
  const { sum, what } = await shiftsOf(page);
  expect(sum, `${path}: ${what}`).toBeLessThan(LAYOUT_SHIFT);
  await page.close();
}

test('a wide screen is used: at 3840 px letters and the content are larger than on a desk', async ({ page }) => {
  const measure = async (width: number) => {
    await page.setViewportSize({ width, height: Math.round((width * 9) / 16) });
    await page.goto(`${warden.url}/models/${MODEL}`);
    await expect(page.getByRole('table', { name: 'Replicas' })).toBeVisible();
    const sizes = await page.getByRole('main').evaluate((main) => ({
      content: main.getBoundingClientRect().width,
      letters: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    }));
    return { ...sizes, overflow: await overflow(page) };
  };
  const desk = await measure(1440);
  const wall = await measure(3840);
  expect(wall.letters).toBeGreaterThan(1.3 * desk.letters);
  expect(wall.content).toBeGreaterThan(0.65 * 3840);
  expect([desk.overflow, wall.overflow]).toEqual([0, 0]);
});
