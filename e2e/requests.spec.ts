import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { requestList } from '#lib/contract/activity.ts';
import { expectGoodAtEveryLook, expectNoAxeViolation } from './axe.ts';
import { type BuiltWarden, startBuiltWarden } from './built-warden.ts';
import { watchFaults } from './page-faults.ts';
import { tableRows } from './table-rows.ts';
import { MODEL, openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

const table = (page: Page) => page.getByRole('table', { name: /requests/i });
const details = (page: Page) => page.getByRole('dialog', { name: 'Request' });
const filters = (page: Page) => page.getByRole('search');

/** A placed and a sticky turn, one pinned by its client, one that the engine refuses, one whose client leaves. */
async function someOfEach(warden: BuiltWarden): Promise<void> {
  const session = randomUUID();
  await sendTurn(warden.url, { session });
  await sendTurn(warden.url, { session });
  await sendTurn(warden.url, { headers: { 'x-data-parallel-rank': '3', 'user-agent': 'curl/8.14.1' } });
  await sendTurn(warden.url, { session: randomUUID(), body: { max_tokens: 0 } });
  const leaving = await openTurn(warden.url, { session: randomUUID(), tokens: 2000 });
  leaving.leave();
  await expect
    .poll(async () => (await warden.get('/api/requests', requestList)).requests.length, { timeout: 10_000 })
    .toBe(5);
}

test.describe('with some of each', () => {
  let warden: BuiltWarden;
  test.beforeAll(async () => {
    warden = await startBuiltWarden();
    await someOfEach(warden);
  });
  test.afterAll(() => warden.dispose());

  test('shows why each request went where it went, as the API has it', async ({ page }) => {
    const faults = watchFaults(page);
    await page.goto(`${warden.url}/requests`);
    await expect(table(page).getByRole('row')).toHaveCount(6);
    const { requests } = await warden.get('/api/requests', requestList);
    const rows = await tableRows(table(page));
    for (const [index, request] of requests.entries()) {
      expect(rows[index]?.Decision).toContain(request.reason);
      expect(rows[index]?.Replica).toBe(request.replica === null ? "engine's" : String(request.replica));
      expect(rows[index]?.Status).toContain(String(request.status));
    }
    expect(faults).toEqual([]);
  });

  test('the server narrows by each filter, and the address keeps it', async ({ page }) => {
    await page.goto(`${warden.url}/requests`);
    const rows = table(page).getByRole('row');
    const choose = (name: string, value: string) =>
      filters(page).getByRole('combobox', { name, exact: true }).selectOption(value);
    await expect(rows).toHaveCount(6);

    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/requests?*client_pinned*', async (route) => {
      await answered;
      await route.continue();
    });
    await choose('Decision', 'client_pinned');
    const before = page.locator('[aria-busy=true]').filter({ has: table(page) });
    await expect(before).toHaveCSS('opacity', '0.5');
    answer();
    await expect(before).toHaveCount(0);
    await expect(rows).toHaveCount(2);
    await expect(table(page)).toContainText('the client asked for replica 3');
    await choose('Replica', '2');
    await expect(page.getByText('No stored request matches')).toBeVisible();
    await expectNoAxeViolation(page);
    await page.reload();
    await expect(page.getByText('No stored request matches')).toBeVisible();
    await filters(page).getByRole('button', { name: 'Clear the filters' }).click();
    await expect(rows).toHaveCount(6);

    await choose('How it ended', 'failed');
    await expect(rows).toHaveCount(2);
    await expect(table(page)).toContainText('400');
    await choose('How it ended', 'client_left');
    await expect(rows).toHaveCount(2);
    await choose('How it ended', '');
    await choose('Client', 'curl');
    await expect(rows).toHaveCount(2);
    await choose('Client', '');
    const { requests } = await warden.get('/api/requests?decision=sticky', requestList);
    const session = requests[0]?.session ?? '';
    await filters(page)
      .getByRole('searchbox')
      .fill(`${session.slice(0, 6).toUpperCase()} `);
    await expect(rows).toHaveCount(3);
    await expect(page).toHaveURL(new RegExp(`session=${session.slice(0, 6)}`));
  });

  test.describe('in Hindi', () => {
    test.use({ locale: 'hi-IN', reducedMotion: 'reduce' });
    test('the list and the details fit and break no rule of accessibility', async ({ page }) => {
      const faults = watchFaults(page);
      await page.goto(`${warden.url}/requests`);
      await expect(page.getByText('क्लाइंट ने रेप्लिका 3 माँगी')).toBeVisible();
      await expectGoodAtEveryLook(page);
      await page.locator('tbody').getByRole('button').first().click();
      await expect(page.getByRole('dialog', { name: 'रिक्वेस्ट' })).toBeVisible();
      await expectGoodAtEveryLook(page);
      expect(faults).toEqual([]);
    });
  });
});

test('the slowest of a window come first, and pages go on and back', async ({ page, warden }) => {
  for (let left = 6; left > 0; left -= 1) {
    await Promise.all(
      Array.from({ length: 10 }, () => sendTurn(warden.url, { session: randomUUID(), body: { max_tokens: 1 } })),
    );
  }
  await expect
    .poll(async () => (await warden.get('/api/requests?limit=100', requestList)).requests.length, { timeout: 10_000 })
    .toBe(60);
  await page.goto(`${warden.url}/requests`);
  const rows = table(page).getByRole('row');
  await expect(rows).toHaveCount(51);
  await page.getByRole('radio', { name: 'Slowest first byte' }).click();
  await expect(page).toHaveURL(/order=slowest/);
  await expect(page.getByRole('region', { name: 'Requests with the slowest first byte' })).toBeVisible();
  const { requests } = await warden.get('/api/requests?order=slowest&limit=100', requestList);
  const times = requests.map(({ ttfb_seconds }) => ttfb_seconds ?? 0);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  await filters(page).getByRole('combobox', { name: 'Window' }).selectOption('15m');
  await expect(page).toHaveURL(/window=15m/);
  await expect(rows).toHaveCount(51);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page).toHaveURL(/before=/);
  await expect(rows).toHaveCount(11);
  await page.goBack();
  await expect(rows).toHaveCount(51);
  await page.goForward();
  await page.getByRole('button', { name: 'Back to the first page' }).click();
  await expect(rows).toHaveCount(51);
});

test('a row opens its details by keyboard: all fields, the id to copy, the way to its session', async ({
  page,
  warden,
}) => {
  const session = randomUUID();
  await sendTurn(warden.url, { session });
  await sendTurn(warden.url, { session });
  await expect.poll(async () => (await warden.get('/api/requests', requestList)).requests.length).toBe(2);
  const [request] = (await warden.get('/api/requests', requestList)).requests;
  const faults = watchFaults(page);
  await page.goto(`${warden.url}/requests`);
  await expect(table(page).getByRole('row')).toHaveCount(3);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const dialog = details(page);
  await expect(dialog).toContainText(request?.id ?? '?');
  await expect(page).toHaveURL(new RegExp(`request=${request?.id}`));
  await expect(dialog).toContainText(request?.reason ?? '?');
  await expect(dialog).toContainText('/v1/chat/completions');
  await expectNoAxeViolation(page);
  // Off the list, by other requests or another filter, it is still read.
  await page.evaluate((id) => history.pushState(null, '', `?request=${id}&decision=spilled`), request?.id);
  await expect(page.getByText('No stored request matches')).toBeVisible();
  await expect(dialog).toContainText(request?.reason ?? '?');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.goto(`${warden.url}/requests?request=${request?.id}`);
  await dialog.getByRole('link', { name: request?.session ?? '?' }).click();
  await expect(page.getByRole('dialog', { name: `Session ${request?.session}` })).toBeVisible();
  expect(faults).toEqual([]);
});

test('no prompt is ever in the page or in what it is made from', async ({ page, warden }) => {
  const secret = `canary-${randomUUID()}`;
  await sendTurn(warden.url, { session: randomUUID(), body: { messages: [{ role: 'user', content: secret }] } });
  await expect.poll(async () => (await warden.get('/api/requests', requestList)).requests.length).toBe(1);
  await page.goto(`${warden.url}/requests`);
  await table(page).getByRole('button').first().click();
  await expect(details(page)).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  expect(await (await fetch(`${warden.url}/api/requests`)).text()).not.toContain(secret);
});

test('before the first request the page says what will be there; without the router it keeps what it has', async ({
  page,
  warden,
}) => {
  await page.goto(`${warden.url}/requests`);
  await expect(page.getByText('No request yet')).toBeVisible();
  await sendTurn(warden.url, { session: randomUUID() });
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await warden.stop('SIGKILL');
  await expect(page.getByRole('alert').filter({ hasText: 'The router cannot be reached' })).toBeVisible();
  await expect(table(page).getByRole('row')).toHaveCount(2);
});

test('a filter in the address that the router refuses is told with its reason', async ({
  page,
  idleWarden: warden,
}) => {
  await page.goto(`${warden.url}/requests?status=failed`);
  const before = page.getByText('No stored request matches');
  await expect(before).toBeVisible();
  await page.evaluate(() => history.pushState(null, '', '?status=nonsense'));
  const refusal = page.getByRole('main').getByRole('alert');
  await expect(refusal).toContainText('status must be one of');
  // And goes on to be told while it is asked for again: the answer to the filter before has gone.
  await page.route('**/api/requests?*nonsense*', () => {});
  const asked = page.waitForRequest(/nonsense/);
  await refusal.getByRole('button', { name: 'Try again' }).click();
  await asked;
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  expect(await refusal.textContent()).toContain('status must be one of');
  expect(await before.count()).toBe(0);
});

test('the model page shows its newest requests and opens them too', async ({ page, warden }) => {
  await sendTurn(warden.url, { session: randomUUID() });
  await page.goto(`${warden.url}/models/${MODEL}`);
  await page.getByRole('region', { name: 'Newest requests' }).getByRole('button').first().click();
  await expect(details(page)).toContainText('no home known; replica');
});
