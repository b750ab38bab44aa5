import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from 'playwright/test';
import { expectNoAxeViolation, overflow } from './axe.ts';
import { type BuiltWarden, startBuiltWarden } from './built-warden.ts';
import { patchRouting, routing } from './model-page.ts';
import { watchFaults } from './page-faults.ts';
import { MODEL, openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

/** Each page, something that stands on it once its data is there, and what else there is to open. */
const PAGES: readonly { path: string; shows: (page: Page) => Locator; open?: (page: Page) => Promise<void> }[] = [
  { path: '/', shows: (page) => page.getByRole('article') },
  { path: `/models/${MODEL}`, shows: (page) => page.getByText('affinity', { exact: false }).last() },
  {
    path: '/stats',
    shows: (page) => page.getByRole('img', { name: /^Tokens per second over/ }).first(),
    open: openTables,
  },
  { path: '/sessions', shows: (page) => page.getByRole('table').getByText('x-claude-code-session-id').first() },
  { path: '/requests', shows: (page) => page.getByText('spilled').last() },
  { path: '/benchmark', shows: (page) => page.getByRole('form', { name: 'New benchmark' }) },
  { path: '/fleet', shows: (page) => page.getByText('This warden is alone') },
  { path: '/connect', shows: (page) => page.getByRole('button', { name: 'Send a test turn', disabled: false }) },
];

let warden: BuiltWarden;
test.beforeAll(async () => {
  warden = await startBuiltWarden();
  await everyKindOfRequest(warden);
});
test.afterAll(() => warden.dispose());

/** Some of everything that the pages show: each decision, an error, a client that left, events. */
async function everyKindOfRequest({ url }: BuiltWarden): Promise<void> {
  const session = randomUUID();
  const body = { messages: [{ role: 'user', content: 'a long history '.repeat(400) }] };
  for (let turn = 0; turn < 3; turn += 1) await sendTurn(url, { session, body });
  await sendTurn(url, { headers: { 'x-data-parallel-rank': '1' } });
  await sendTurn(url, { path: '/v1/completions', body: { prompt: 'no conversation' } });
  await patchRouting(warden, { spill_threshold: 1 });
  const running = await openTurn(url, { session, tokens: 2000, body });
  await sendTurn(url, { session, body });
  running.leave();
  await patchRouting(warden, { affinity: false });
  await sendTurn(url, { session, body });
  await sendTurn(url, { session, body: { max_tokens: 0 } });
  await patchRouting(warden, { affinity: true });
  await expect.poll(async () => (await routing(warden)).totals.in_flight).toBe(0);
}

/** The table behind each of the three charts. */
async function openTables(page: Page): Promise<void> {
  const closed = page.getByRole('button', { name: /^Show table/ });
  const opened = page.getByRole('button', { name: /^Hide table/ });
  // Those below the window come when the reader does.
  for (let count = 1; count <= 3; count += 1) {
    await closed.first().click();
    await expect(opened).toHaveCount(count);
  }
}

/** Looked at one after the other, so that the page is loaded once and also shown to follow. */
const LOOKS = [1280, 360].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

for (const { path, shows, open } of PAGES) {
  test(`${path} has no fault, no accessibility violation, and fits, wide and narrow, light and dark`, async ({
    page,
  }) => {
    const faults = watchFaults(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(warden.url + path);
    await expect(shows(page)).toBeVisible();
    await open?.(page);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      await expect(shows(page)).toBeVisible();
      await expectNoAxeViolation(page, `${width} px, ${colorScheme}`);
      await expect.poll(() => overflow(page), `wider than ${width} px`).toBe(0);
    }
    expect(faults).toEqual([]);
  });
}

test('at 1024 px the pages are told by their icons, and the wide tables fit', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1024, height: 800 });
  for (const path of [`/models/${MODEL}`, '/sessions', '/requests']) {
    await page.goto(warden.url + path);
    const table = page.getByRole('main').getByRole('table').first();
    await expect(table.locator('tbody tr').first(), path).toBeVisible();
    const box = page
      .getByRole('main')
      .getByRole('group')
      .filter({ has: page.getByRole('table') })
      .first();
    const beyond = () => box.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(beyond, path).toBe(0);
    await expectNoAxeViolation(page, path);
  }
  const link = page.getByRole('navigation').getByRole('link', { name: 'Stats', exact: true });
  expect((await link.boundingBox())?.width).toBeLessThan(50);
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Stats' })).toBeVisible();
});

test.describe('what opens on a page', () => {
  test.use({ colorScheme: 'dark', reducedMotion: 'reduce' });

  test('the threshold editor, with and without a problem', async ({ page }) => {
    await page.goto(`${warden.url}/models/${MODEL}`);
    await page.getByRole('button', { name: /^Spill threshold/ }).click();
    await expectNoAxeViolation(page);
    await page.getByRole('textbox', { name: 'Requests in flight' }).fill('0');
    await expectNoAxeViolation(page);
  });

  test('the question before affinity goes off', async ({ page }) => {
    await page.goto(`${warden.url}/models/${MODEL}`);
    await page.getByRole('switch', { name: 'Affinity' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectNoAxeViolation(page);
  });

  test('the list of shortcuts', async ({ page }) => {
    await page.goto(warden.url);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoAxeViolation(page);
  });

  test('the menu on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 700 });
    await page.goto(warden.url);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expectNoAxeViolation(page);
    await page.getByRole('dialog').getByRole('link', { name: 'Stats' }).click();
    await expect(page).toHaveURL(/\/stats$/);
    await expect(page.getByRole('dialog')).toBeHidden();
  });
});

test.describe('before the first request', () => {
  test.use({ reducedMotion: 'reduce' });
  for (const { path } of PAGES) {
    test(`${path} has no fault and no accessibility violation`, async ({ page, idleWarden }) => {
      const faults = watchFaults(page);
      await page.goto(idleWarden.url + path);
      await expect(page.getByRole('banner').getByText('Simulated fleet')).toBeVisible();
      await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
      await expectNoAxeViolation(page);
      expect(faults).toEqual([]);
    });
  }
});
