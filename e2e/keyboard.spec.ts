import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { type BuiltWarden, startBuiltWarden } from './built-warden.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

let warden: BuiltWarden;
test.beforeAll(async () => {
  warden = await startBuiltWarden();
});
test.afterAll(() => warden.dispose());

test('? lists the shortcuts, g and a letter go to a page, space pauses', async ({ page }) => {
  await page.goto(warden.url);
  await expect(page.getByRole('article')).toBeVisible();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('Go to Stats');
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page).toHaveURL(/\/$/);
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  for (const [key, path] of [
    ['s', '/stats'],
    ['e', '/sessions'],
    ['r', '/requests'],
    ['b', '/benchmark'],
    ['c', '/connect'],
    ['f', '/fleet'],
    [',', '/settings'],
    ['m', '/'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect(page).toHaveURL(warden.url + path);
  }

  await page.keyboard.press('Space');
  await expect(page.getByText('Paused')).toBeVisible();
  await expect(page).toHaveURL(`${warden.url}/?paused=true`);
  await page.keyboard.press('Space');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${warden.url}/`);
});

test('a paused page stays so on other pages and after a reload', async ({ page }) => {
  await page.goto(`${warden.url}/stats?range=6h&paused=true`);
  await expect(page.getByText('Paused')).toBeVisible();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await expect(page).toHaveURL(`${warden.url}/sessions?paused=true`);
  await page.reload();
  await expect(page.getByText('Paused')).toBeVisible();
});

test('[ and ] step through the time ranges, to the ends', async ({ page }) => {
  await page.goto(`${warden.url}/stats`);
  const checked = page.getByRole('radio', { checked: true });
  await expect(checked).toHaveText('1h');
  await page.keyboard.press(']');
  await expect(checked).toHaveText('6h');
  await expect(page).toHaveURL(/\?range=6h$/);
  for (const range of ['1h', '15m', '15m']) {
    await page.keyboard.press('[');
    await expect(checked).toHaveText(range);
  }
});

test('/ goes to the search, j and k through the rows', async ({ page }) => {
  for (let turn = 0; turn < 3; turn += 1) await sendTurn(warden.url, { session: randomUUID() });
  await page.goto(`${warden.url}/sessions`);
  const rows = page.getByRole('main').locator('tbody tr');
  await expect(rows.nth(2)).toBeVisible();
  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByRole('searchbox')).toHaveValue('j');
});

test('what is typed into a field is no shortcut', async ({ page }) => {
  await page.goto(`${warden.url}/sessions`);
  const search = page.getByRole('searchbox');
  await search.pressSequentially('g s ?');
  await expect(search).toHaveValue('g s ?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Paused')).toHaveCount(0);
  expect(new URL(page.url()).pathname).toBe('/sessions');
});

test('the first Tab offers to skip to the content', async ({ page }) => {
  await page.goto(warden.url);
  await expect(page.getByRole('article')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('the list of shortcuts gives the focus back to what opened it', async ({ page }) => {
  await page.goto(warden.url);
  const opener = page.getByRole('button', { name: 'Keyboard shortcuts' });
  await opener.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(opener).toBeFocused();
});

test('the question before affinity goes off gives the focus back to the switch', async ({ page }) => {
  await sendTurn(warden.url, { session: randomUUID() });
  await page.goto(`${warden.url}/models/${MODEL}`);
  const affinity = page.getByRole('switch', { name: 'Affinity' });
  await affinity.click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(affinity).toBeFocused();
});

test('the theme that is chosen stays after a reload, whatever the system says', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(warden.url);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
