import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from 'playwright/test';
import { benchmarkList } from '#lib/contract/benchmark.ts';
import { settingsState } from '#lib/contract/settings.ts';
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

/** Goes on with Tab, or back with Shift+Tab, until it is there. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let pressed = 0; pressed < 80; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${target}`);
}

test('by keyboard alone: the range of Stats is chosen, and the period before compared', async ({ page }) => {
  await page.goto(`${warden.url}/stats`);
  const range = page.getByRole('radiogroup', { name: 'Time range' });
  await tabTo(page, range.getByRole('radio', { name: 'The last hour' }));
  // As long as a person holds a key: the group of radios looks at it again a moment after it went down.
  await page.keyboard.press('ArrowRight', { delay: 60 });
  await expect(range.getByRole('radio', { name: 'The last 6 hours' })).toBeChecked();
  await expect(page).toHaveURL(/range=6h/);
  const compare = page.getByRole('switch', { name: 'Compare with the period before' });
  await tabTo(page, compare);
  await page.keyboard.press('Space');
  await expect(compare).toBeChecked();
  await expect(page).toHaveURL(/compare=true/);
  await page.keyboard.press('Enter');
  await expect(compare).not.toBeChecked();
});

test('by keyboard alone: a benchmark is started beside other traffic, and cancelled', async ({ page }) => {
  await sendTurn(warden.url, { session: randomUUID() });
  await page.goto(`${warden.url}/benchmark`);
  const form = page.getByRole('form', { name: 'New benchmark' });
  await tabTo(page, form.getByLabel('Sessions at once'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1');
  await tabTo(page, form.getByRole('checkbox', { name: 'Affinity off', exact: true }));
  await page.keyboard.press('Space');
  await expect(form.getByRole('checkbox', { name: 'Affinity off', exact: true })).not.toBeChecked();
  await tabTo(page, form.getByRole('button', { name: 'Start' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Start anyway' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Benchmark 1 is running' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog');
  await tabTo(page, question.getByRole('button', { name: 'Cancel the benchmark' }));
  await page.keyboard.press('Enter');
  await expect(form).toBeVisible();
  expect((await warden.get('/api/benchmarks', benchmarkList)).runs.map(({ status }) => status)).toEqual(['cancelled']);
});

test('by keyboard alone: how long things are kept is changed, and the language', async ({ page }) => {
  await page.goto(`${warden.url}/settings`);
  await tabTo(page, page.getByRole('textbox', { name: /^Series by the minute/ }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('30');
  await page.keyboard.press('Enter');
  await expect
    .poll(async () => {
      const { retention } = await warden.get('/api/settings', settingsState);
      return retention.find(({ name }) => name === 'minute_days')?.value;
    })
    .toBe(30);
  const languages = page.getByRole('radiogroup', { name: 'Language' });
  await tabTo(page, languages.getByRole('radio', { name: 'English' }), 'Shift+Tab');
  await page.keyboard.press('ArrowRight', { delay: 60 });
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi');
});

test('by keyboard alone: a client is chosen on Connect, and a test turn sent', async ({ page }) => {
  await page.goto(`${warden.url}/connect`);
  await tabTo(page, page.getByRole('tab', { name: 'Claude Code' }));
  await page.keyboard.press('ArrowRight', { delay: 60 });
  await expect(page.getByRole('tab', { name: 'Codex' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel')).toContainText('base_url');
  const trial = page.getByRole('region', { name: 'Test turn' });
  await tabTo(page, trial.getByRole('button', { name: 'Send a test turn' }));
  await page.keyboard.press('Enter');
  await expect(trial.getByRole('listitem')).toContainText(['placed']);
});

// The last: from then on a key is needed.
test('by keyboard alone: a key is made on Access, and revoked', async ({ page }) => {
  await page.goto(`${warden.url}/access`);
  await tabTo(page, page.getByRole('button', { name: 'Make a key' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByLabel('Name'));
  await page.keyboard.type('by hand');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/^lmw_/).first()).toBeVisible();
  await tabTo(page, dialog.getByRole('button', { name: 'I have copied it' }));
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await tabTo(page, page.getByRole('button', { name: 'Revoke the key by hand' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('No key yet')).toBeVisible();
});
