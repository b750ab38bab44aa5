import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from 'playwright/test';
import { replicaSeries } from '#lib/contract/series.ts';
import { expectNoAxeViolation, overflow } from './axe.ts';
import { type BuiltWarden, startBuiltWarden } from './built-warden.ts';
import { LAYOUT_SHIFT, shiftsOf, watchShifts } from './layout-shifts.ts';
import { patchRouting } from './model-page.ts';
import { watchFaults } from './page-faults.ts';
import { tableRows } from './table-rows.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

// Among the last files by name: split, so that no worker is left alone with one.
test.describe.configure({ mode: 'parallel' });

const PANELS = [
  'Tokens per second',
  'Time to first byte',
  'Request duration',
  'Requests running and waiting',
  'Decisions',
  'KV cache in use',
  'Prefix-cache hits',
  'Held for room in the cache',
  'Errors',
];

/** A conversation of a few turns, a request that is refused, and a switch of affinity, so that most charts have something. */
async function live({ url }: BuiltWarden, turns = 3): Promise<void> {
  const session = randomUUID();
  const messages = [{ role: 'user', content: 'the history of a conversation '.repeat(200) }];
  for (let sent = 0; sent < turns; sent += 1) await sendTurn(url, { session, body: { messages } });
  await sendTurn(url, { session, body: { max_tokens: -1 } });
}

/** Comes near every chart, so that all are drawn. */
async function seeAll(page: Page, titles: readonly string[] = PANELS): Promise<void> {
  for (const title of titles) await comeNear(page.getByRole('region', { name: title }));
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
}

/** A panel that comes near is replaced by the one with the chart. */
async function comeNear(region: Locator): Promise<void> {
  await expect(() => region.scrollIntoViewIfNeeded({ timeout: 2000 })).toPass();
}

const panel = (page: Page, title: string): Locator => page.getByRole('region', { name: title });
const drawing = (page: Page, title: string): Locator => panel(page, title).getByRole('img').first();

test.describe('with a few requests', () => {
  let warden: BuiltWarden;
  test.beforeAll(async () => {
    warden = await startBuiltWarden();
    await live(warden);
    await patchRouting(warden, { affinity: false });
    await patchRouting(warden, { affinity: true });
  });
  test.afterAll(() => warden.dispose());

  test('the pointer on one chart marks the same time on all, and their legends tell its values', async ({ page }) => {
    await page.goto(`${warden.url}/stats?range=15m`);
    await seeAll(page, ['Tokens per second', 'Time to first byte', 'Decisions']);
    await comeNear(panel(page, 'Decisions'));
    const tooltip = panel(page, 'Decisions').locator('.recharts-tooltip-wrapper');
    // Panels that are come near may still take their place, and move the chart away from under the pointer; one that is
    // drawn only now takes part from the pointer's next move on.
    await expect(async () => {
      await page.mouse.move(2, 2);
      await drawing(page, 'Decisions').hover({ timeout: 2000 });
      await expect(tooltip).toBeVisible({ timeout: 2000 });
      for (const title of ['Tokens per second', 'Time to first byte', 'Decisions']) {
        await expect(panel(page, title).locator('.recharts-tooltip-cursor').first()).toBeAttached({ timeout: 2000 });
      }
    }).toPass();
    // A bucket long before the first request.
    await expect(panel(page, 'Decisions').getByRole('list', { name: 'Series' })).toContainText('sticky0');
    await expect(panel(page, 'Time to first byte').getByRole('list', { name: 'Series' })).toContainText('Median—');
    await expect(tooltip).toBeVisible();
    await expect(panel(page, 'Time to first byte').locator('.recharts-tooltip-wrapper')).toBeHidden();
    await page.mouse.move(2, 2);
    await expect(page.locator('.recharts-tooltip-cursor')).toHaveCount(0);
  });

  test('the keyboard walks along a chart, and the others follow', async ({ page }) => {
    await page.goto(`${warden.url}/stats?range=15m`);
    await seeAll(page, ['Tokens per second', 'Time to first byte']);
    await drawing(page, 'Time to first byte').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const tooltip = panel(page, 'Time to first byte').locator('.recharts-tooltip-wrapper');
    await expect(tooltip).toBeVisible();
    await expect(panel(page, 'Tokens per second').locator('.recharts-tooltip-cursor').first()).toBeAttached();
    const before = (await tooltip.textContent()) ?? '';
    await page.keyboard.press('ArrowRight');
    await expect(tooltip).not.toHaveText(before);
  });

  test('a legend hides and shows its series, by keyboard too', async ({ page }) => {
    await page.goto(`${warden.url}/stats?range=15m`);
    await seeAll(page, ['Decisions']);
    const sticky = panel(page, 'Decisions').getByRole('button', { name: 'sticky' });
    const bars = panel(page, 'Decisions').locator('.recharts-bar');
    await expect(bars).toHaveCount(3);
    await sticky.focus();
    await page.keyboard.press('Enter');
    await expect(sticky).toHaveAttribute('aria-pressed', 'false');
    await expect(bars).toHaveCount(2);
    await page.keyboard.press('Enter');
    await expect(bars).toHaveCount(3);
  });

  test('the headers of the table behind a chart stay in sight', async ({ page }) => {
    await page.goto(`${warden.url}/stats?range=15m&paused=true`);
    const tokens = panel(page, 'Tokens per second');
    await tokens.getByRole('button', { name: /^Show table/ }).click();
    const box = tokens.getByRole('group').filter({ has: page.getByRole('table') });
    const header = tokens.getByRole('columnheader', { name: 'Bucket starts' });
    await expect(tokens.locator('tbody tr')).toHaveCount(60);
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBeGreaterThan(500);
    const edge = (await box.boundingBox())?.y ?? 0;
    await expect.poll(async () => ((await header.boundingBox())?.y ?? 0) - edge).toBeLessThan(2);
    await expect.poll(async () => ((await header.boundingBox())?.y ?? 0) - edge).toBeGreaterThan(-2);
  });

  test('switches are marked on the charts and told in words', async ({ page }) => {
    await page.goto(`${warden.url}/stats?range=15m`);
    await expect(page.getByRole('list', { name: 'Changes' })).toContainText('Affinity turned on');
    await seeAll(page, ['Errors']);
    await expect(panel(page, 'Errors').locator('.recharts-reference-line').first()).toBeAttached();
  });

  test('an error is told by its kind and status', async ({ page }) => {
    await page.goto(`${warden.url}/stats?range=15m`);
    await seeAll(page, ['Errors']);
    await expect(panel(page, 'Errors').getByRole('list', { name: 'By status' })).toContainText(
      'Refused by the engine, status 400: 1',
    );
  });

  test('the period before stands beside the numbers, in the table and in the address', async ({ page }) => {
    await page.goto(`${warden.url}/stats?range=15m`);
    const asked = page.waitForRequest(/\/api\/stats\/tokens\?.*period=previous/);
    await page.getByRole('switch', { name: 'Compare with the period before' }).click();
    await asked;
    await expect(page).toHaveURL(/[?&]compare=true/);
    const tokens = panel(page, 'Tokens per second');
    await expect(tokens.locator('dl')).toContainText('was 0');
    await expect(tokens.getByRole('button', { name: 'Period before' })).toBeVisible();
    await tokens.getByRole('button', { name: /^Show table/ }).click();
    await expect(tokens.getByRole('columnheader', { name: 'Completion, before' })).toBeVisible();
    // The period before another window is not there yet: that of the window before must not stand in its place.
    let refuse = () => {};
    const refused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/api/stats/tokens?*period=previous*', async (route) => {
      await refused;
      await route.fulfill({ status: 500, json: {} });
    });
    await page.getByRole('radio', { name: 'The last hour' }).click();
    await expect(tokens.locator('dl')).not.toContainText('was');
    refuse();
    await expect(tokens).toContainText('Period before: That did not work');
    await page.unroute('**/api/stats/tokens?*period=previous*');
    await page.reload();
    await expect(page.getByRole('switch', { name: 'Compare with the period before' })).toBeChecked();
    await expect(tokens.locator('dl')).toContainText('was 0');
  });

  test('a time range of one’s own is asked for, kept in the address, and refused with a reason', async ({ page }) => {
    await page.goto(`${warden.url}/stats`);
    await page.getByRole('radio', { name: 'A time range of your own' }).click();
    await expect(page).toHaveURL(/[?&]from=.*[?&]to=/);
    const form = page.getByRole('form', { name: 'A time range of your own' });
    await form.getByLabel('From').fill('2026-01-02T10:00');
    await form.getByLabel('To').fill('2026-01-02T09:00');
    await form.getByRole('button', { name: 'Show' }).click();
    await expect(form.getByRole('alert')).toContainText('at least a minute after the start');
    const now = Date.now();
    const field = (time: number) =>
      new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    await form.getByLabel('From').fill(field(now - 2 * 3_600_000));
    await form.getByLabel('To').fill(field(now + 60_000));
    const asked = page.waitForRequest((request) => request.url().includes('/api/stats/tokens?from='));
    await form.getByRole('button', { name: 'Show' }).click();
    const answer = await (await asked).response();
    expect(await answer?.json()).toMatchObject({ window: 'custom', bucket_seconds: 120, totals: { requests: 4 } });
    await expect(drawing(page, 'Tokens per second')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('radio', { name: 'A time range of your own' })).toBeChecked();
    await expect(drawing(page, 'Tokens per second')).toBeVisible();
  });

  test('a chart is saved as a picture and as a file, named for what it is', async ({ page }) => {
    await page.goto(`${warden.url}/stats?range=15m`);
    await seeAll(page, ['Decisions']);
    const decisions = panel(page, 'Decisions');
    await expect(decisions.locator('svg.recharts-surface').first()).toBeVisible();
    const saving = page.waitForEvent('download');
    await decisions.getByRole('button', { name: 'Download PNG: Decisions' }).click();
    const picture = await saving;
    expect(picture.suggestedFilename()).toBe('warden-decisions-15m.png');
    expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG');
    await decisions.getByRole('button', { name: /^Show table/ }).click();
    const writing = page.waitForEvent('download');
    await decisions.getByRole('button', { name: 'Download CSV' }).click();
    const file = await writing;
    expect(file.suggestedFilename()).toBe('warden-decisions-15m.csv');
    const [header = '', ...lines] = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
    const sticky = header.split(',').indexOf('sticky');
    expect(lines).toHaveLength(60);
    expect(lines.reduce((sum, line) => sum + Number(line.split(',')[sticky]), 0)).toBe(3);
  });

  for (const { language, title } of [
    { language: 'en', title: 'Tokens per second' },
    { language: 'hi', title: 'टोकन प्रति सेकंड' },
  ]) {
    test(`${language}: every chart, no fault, nothing inaccessible, nothing cut off, wide and narrow, light and dark`, async ({
      page,
    }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.addInitScript((chosen) => localStorage.setItem('warden.language', chosen), language);
      const faults = watchFaults(page);
      await page.goto(`${warden.url}/stats?range=15m&compare=true`);
      await expect(page.getByRole('region', { name: title })).toBeVisible();
      const regions = page.getByRole('main').getByRole('region');
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 900 });
        for (let index = 0; index < PANELS.length; index += 1) await comeNear(regions.nth(index));
        await expect(page.locator('main [role="status"] .animate-pulse')).toHaveCount(0);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
          await expectNoAxeViolation(page, `${width} px, ${colorScheme}`);
          await expect.poll(() => overflow(page), `wider than ${width} px`).toBe(0);
        }
      }
      expect(faults).toEqual([]);
    });
  }
});

test('before the first answer the chart’s place is held, after it nothing on screen has moved', async ({
  page,
  warden,
}) => {
  await live(warden);
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/stats/tokens?*', async (route) => {
    await held;
    await route.continue();
  });
  await watchShifts(page);
  // Paused: it is about the first answers, and not about figures that grow by a line on a slow machine.
  await page.goto(`${warden.url}/stats?range=15m&paused=true`);
  const tokens = panel(page, 'Tokens per second');
  await expect(tokens.getByRole('status', { name: 'Loading' })).toBeVisible();
  // What stands below would be pushed: it is not shown yet.
  await expect(page.getByRole('heading', { name: 'Decisions' })).toHaveCount(0);
  const before = await tokens.boundingBox();
  answer();
  await expect(drawing(page, 'Tokens per second')).toBeVisible();
  await expect(tokens.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Decisions' })).toBeVisible();
  const after = await tokens.boundingBox();
  expect([after?.x, after?.y, after?.width]).toEqual([before?.x, before?.y, before?.width]);
  expect(Math.abs((after?.height ?? 0) / (before?.height ?? 1) - 1)).toBeLessThan(0.25);
  const { sum, what } = await shiftsOf(page);
  expect(sum, what).toBeLessThan(LAYOUT_SHIFT);
});

test('an answer that fails keeps the numbers on screen and says so', async ({ page, warden }) => {
  await live(warden);
  await page.goto(`${warden.url}/stats?range=15m`);
  const tokens = panel(page, 'Tokens per second');
  await expect(drawing(page, 'Tokens per second')).toBeVisible();
  await page.route('**/api/stats/tokens?*', (route) => route.fulfill({ status: 500, json: {} }));
  await expect(tokens.getByText(/^Not refreshed/)).toBeVisible({ timeout: 30_000 });
  await expect(drawing(page, 'Tokens per second')).toBeVisible();
});

test('before the first request every chart says why it is empty', async ({ page, idleWarden: warden }) => {
  await page.goto(`${warden.url}/stats?range=15m`);
  await expect(panel(page, 'Tokens per second')).toContainText('No request finished in the last 15 minutes');
  await seeAll(page);
  await expect(panel(page, 'Decisions')).toContainText('No request finished in the last 15 minutes');
  await expect(panel(page, 'Errors')).toContainText('No request finished in the last 15 minutes');
  await expect(panel(page, 'Held for room in the cache')).toContainText('Nothing was held');
  await expect(panel(page, 'Prefix-cache hits')).toContainText('No prompt was processed');
  // The engines are read all the same.
  await expect(drawing(page, 'KV cache in use')).toBeVisible();
});

test('an engine that dies and comes back is marked, and its readings have a gap', async ({ page, start, engine }) => {
  test.setTimeout(120_000);
  const warden = await start({ WARDEN_UPSTREAM: engine.url });
  await live(warden);
  /** The readings of the first replica, a bucket each: what was read (+), and what not (-). */
  const readings = async () => {
    const { replicas } = await warden.get('/api/stats/replicas?window=15m', replicaSeries);
    return (replicas[0]?.kv_cache_usage_percent ?? []).map((value) => (value === null ? '-' : '+')).join('');
  };
  await page.goto(`${warden.url}/stats?range=15m`);
  await expect(drawing(page, 'Tokens per second')).toBeVisible();
  await expect.poll(readings).toContain('+');
  await engine.die();
  const changes = page.getByRole('list', { name: 'Changes' });
  await expect(changes).toContainText(`Engine down: ${MODEL}`, { timeout: 30_000 });
  // A whole bucket without a reading, and the one that is filling.
  await expect.poll(readings, { timeout: 45_000, intervals: [1000] }).toMatch(/\+--$/);
  await engine.comeBack();
  await expect(changes).toContainText('Engine up', { timeout: 30_000 });
  await expect.poll(readings, { timeout: 30_000, intervals: [1000] }).toMatch(/\+-+\+/);

  const kv = panel(page, 'KV cache in use');
  await comeNear(kv);
  await kv.getByRole('button', { name: /^Show table/ }).click();
  await expect(async () => {
    const rows = await tableRows(kv.getByRole('table'));
    const shown = rows.map((row) => (row['Replica 0'] === '—' ? '-' : '+')).toReversed();
    expect(shown.join('')).toMatch(/\+-+\+/);
    // A line that begins anew after the gap.
    const line = (await kv.locator('.recharts-line-curve').first().getAttribute('d')) ?? '';
    expect(line.match(/M/g)?.length).toBeGreaterThan(1);
  }).toPass({ timeout: 20_000 });
});

test('the code of a panel that is come near while the router is away is waited for', async ({ page, warden }) => {
  await live(warden);
  await page.goto(`${warden.url}/stats?range=15m`);
  await expect(drawing(page, 'Tokens per second')).toBeVisible();
  await page.route(/\/_next\/static\/chunks\/|\/healthz$/, (route) => route.abort());
  const asked = page.waitForRequest(/\/healthz$/);
  await page.getByRole('heading', { name: 'Errors', exact: true }).scrollIntoViewIfNeeded();
  await asked;
  await expect(page.getByText('This page broke')).toHaveCount(0);
  await page.unrouteAll();
  await comeNear(panel(page, 'Errors'));
  await expect(panel(page, 'Errors').getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expect(page.getByText('This page broke')).toHaveCount(0);
});

test('a router that restarts is waited for, and its statistics are there again', async ({ page, warden }) => {
  await live(warden);
  await page.goto(`${warden.url}/stats?range=1h`);
  const requests = panel(page, 'Tokens per second').locator('dl > div').filter({ hasText: 'Requests' });
  await expect(requests).toContainText('4');
  await warden.restart();
  await live(warden, 1);
  await expect(requests).toContainText('6', { timeout: 30_000 });
});
