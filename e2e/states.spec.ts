import { randomUUID } from 'node:crypto';
import { type Browser, type BrowserContext, expect, type Page } from 'playwright/test';
import { sessionList } from '#lib/contract/activity.ts';
import { expectNoAxeViolation, overflow } from './axe.ts';
import type { BuiltWarden } from './built-warden.ts';
import { CONSOLE_PAGES } from './console-pages.ts';
import { deadAddress, startEngine } from './engine.ts';
import { watchFaults } from './page-faults.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

/*
 * Every page in every state. The eight ways to look at a page (language, theme, width) go round: each page is seen in
 * another one in each state, and in every state it is also squeezed to the other width.
 */
const LOOKS = ['en', 'hi'].flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => [1280, 360].map((width) => ({ language, theme, width }))),
);
type Look = (typeof LOOKS)[number];
type Seen = { readonly page: Page; readonly path: string; readonly look: Look; readonly faults: readonly string[] };

/** Sentences of both languages that stand in every state of their kind. */
const LOADING = /^(Loading|लोड हो रहा है)$/;
const UNREACHABLE = /The router cannot be reached|राउटर तक पहुँच नहीं/;
/** What the browser itself says of an answer that is an error. */
const NOT_OK = /^(\d{3}: |failed: |error: (Failed to load resource|ChunkLoadError))/;

test.describe.configure({ mode: 'parallel' });
test.setTimeout(170_000);

/** Visits every page in its own browser context. `shift` moves the looks on by one for each state. */
async function visitAll(
  browser: Browser,
  { url }: { readonly url: string },
  shift: number,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (const [index, { path }] of CONSOLE_PAGES.entries()) {
    const look = LOOKS[(index + shift) % LOOKS.length] ?? { language: 'en', theme: 'light', width: 1280 };
    const page = await (await contextOf(browser, look)).newPage();
    const faults = watchFaults(page);
    await prepare?.(page);
    await page.goto(url + path);
    seen.push({ page, path, look, faults });
  }
  return seen;
}

function contextOf(browser: Browser, { language, theme, width }: Look): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: theme,
    locale: language === 'hi' ? 'hi-IN' : 'en-US',
    reducedMotion: 'reduce',
  });
}

/** What holds in every state: language and theme, no fault, nothing for axe to find, nothing cut off at either width. */
async function expectGood({ page, path, look, faults }: Seen, allowed = /^$/): Promise<void> {
  const where = `${path}, ${look.language}, ${look.theme}, ${look.width} px`;
  await expect(page.locator('html'), where).toHaveAttribute('lang', look.language);
  await expect(page.locator('html'), where).toHaveAttribute('data-theme', look.theme);
  await expectNoAxeViolation(page, where);
  for (const width of [look.width, look.width === 360 ? 1280 : 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => overflow(page), `${where}: wider than ${width}`).toBe(0);
  }
  expect(
    faults.filter((fault) => !allowed.test(fault)),
    where,
  ).toEqual([]);
}

async function expectAllGood(seen: readonly Seen[], allowed?: RegExp): Promise<void> {
  for (const one of seen) {
    await expectGood(one, allowed);
    await one.page.context().close();
  }
}

const loaded = async ({ page, path }: Seen): Promise<void> => {
  await expect(page.getByRole('status', { name: LOADING }), path).toHaveCount(0);
};

function pageAt(seen: readonly Seen[], path: string): Page {
  const found = seen.find((one) => one.path === path);
  if (!found) throw new Error(`${path} was not visited`);
  return found.page;
}

async function holdConversations(warden: BuiltWarden, count: number): Promise<void> {
  let left = count;
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await sendTurn(warden.url, { session: randomUUID() });
    }
  };
  await Promise.all(Array.from({ length: 16 }, sender));
}

test('loading: the API has not answered yet', async ({ browser, warden }) => {
  const seen = await visitAll(browser, warden, 0, (page) => page.route('**/api/**', () => {}));
  for (const { page, path } of seen) {
    if (path !== '/connect') await expect(page.getByRole('status', { name: LOADING }).first(), path).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
  }
  await expectAllGood(seen);
});

test('empty: nothing is served and nothing has happened', async ({ browser, start }) => {
  const warden = await start({ WARDEN_UPSTREAM: await deadAddress() });
  const seen = await visitAll(browser, warden, 1);
  for (const one of seen) await loaded(one);
  await expectAllGood(seen, /^404: .*\/api\/|^error: Failed to load resource: .* 404/);
});

test('live: four replicas at work', async ({ browser, warden }) => {
  await holdConversations(warden, 12);
  const seen = await visitAll(browser, warden, 2);
  for (const [index, { page, path }] of seen.entries()) {
    const shows = CONSOLE_PAGES[index]?.shows;
    if (shows) await expect(shows(page), path).toBeVisible();
  }
  await expectAllGood(seen);
});

test('error: every call of the API fails', async ({ browser, warden }) => {
  const problem = { type: 'about:blank', title: 'Internal error', status: 500, detail: 'A fault for this test.' };
  const seen = await visitAll(browser, warden, 3, (page) =>
    page.route('**/api/**', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    ),
  );
  for (const { page, path } of seen) {
    await expect(page.getByRole('alert').filter({ hasText: problem.detail }).first(), path).toBeVisible();
  }
  await expectAllGood(seen, NOT_OK);
});

test('engine down: a model with no replica up', async ({ browser, start, config }) => {
  const file = config(
    `models:\n  - name: ${MODEL}\n    replicas:\n      - url: ${await deadAddress()}\n        ranks: 2\n`,
  );
  const warden = await start({ WARDEN_CONFIG: file.path });
  const seen = await visitAll(browser, warden, 4);
  for (const one of seen) await loaded(one);
  await expect(pageAt(seen, '/').getByRole('article').first()).toContainText(/0 of 2|2 में से 0/);
  await expectAllGood(seen);
});

test('router gone and started again: data stays, then all is live again', async ({ browser, warden }) => {
  await holdConversations(warden, 3);
  const seen = await visitAll(browser, warden, 5);
  for (const [index, { page, path }] of seen.entries()) {
    const shows = CONSOLE_PAGES[index]?.shows;
    if (shows) await expect(shows(page), path).toBeVisible();
  }
  await warden.stop('SIGKILL');
  for (const [index, one] of seen.entries()) {
    await expect(one.page.getByRole('alert').filter({ hasText: UNREACHABLE }), one.path).toBeVisible();
    const shows = CONSOLE_PAGES[index]?.shows;
    if (shows) await expect(shows(one.page), one.path).toBeVisible();
    await expectGood(one, NOT_OK);
  }
  await warden.restart();
  for (const { page, path } of seen) {
    await expect(page.getByRole('alert').filter({ hasText: UNREACHABLE }), path).toBeHidden();
  }
  await expectAllGood(seen, NOT_OK);
});

test('eight replicas and 500 sessions', async ({ browser, start }) => {
  const engine = await startEngine({ replicas: 8, speed: 50 });
  try {
    const warden = await start({ WARDEN_UPSTREAM: engine.url });
    await holdConversations(warden, 500);
    expect((await warden.get('/api/sessions', sessionList)).sessions.length).toBe(500);
    const seen = await visitAll(browser, warden, 6);
    for (const [index, { page, path }] of seen.entries()) {
      const shows = CONSOLE_PAGES[index]?.shows;
      if (shows) await expect(shows(page), path).toBeVisible();
    }
    const replicas = pageAt(seen, `/models/${MODEL}`).getByRole('main').getByRole('table').first();
    await expect(replicas.locator('tbody tr')).toHaveCount(8);
    await expectAllGood(seen);
  } finally {
    await engine.die();
  }
});
