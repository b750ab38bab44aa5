import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { keyList, madeKey } from '#lib/contract/access.ts';
import { expectGoodAtEveryLook, expectNoAxeViolation } from './axe.ts';
import { failedStart } from './built-warden.ts';
import { expectDownload, expectPicture } from './downloads.ts';
import { watchFaults } from './page-faults.ts';
import { tableRows } from './table-rows.ts';
import { MODEL } from './turns.ts';
import { test } from './warden-test.ts';

const PASSWORD = 'correct horse battery';
const GUARDED = { WARDEN_ADMIN_PASSWORD: PASSWORD };

async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('listening elsewhere without a password is refused, with what to do', async () => {
  const { code, output } = await failedStart({ WARDEN_HOST: '0.0.0.0' });
  expect(code).toBe(1);
  expect(output).toContain('WARDEN_ADMIN_PASSWORD');
  expect(output).toContain('WARDEN_FIRST_RUN');
});

test('a password that is too short is refused at the start, and not printed', async () => {
  const { code, output } = await failedStart({ WARDEN_ADMIN_PASSWORD: 'short7!' });
  expect(code).toBe(1);
  expect(output).toContain('WARDEN_ADMIN_PASSWORD: must have at least 8 characters');
  expect(output).not.toContain('short7!');
});

test('the link that is printed makes the first admin', async ({ page, start }) => {
  // Leads to this machine alone, and is not written as what the router knows to do so.
  const warden = await start({ WARDEN_HOST: '127.1', WARDEN_FIRST_RUN: 'true' });
  const link = /http\S+#first-run=\S+/.exec(warden.output())?.[0] ?? '';
  await page.goto(warden.url);
  await expect(page.getByText('Open the link that was printed when the server started')).toBeVisible();
  await expectNoAxeViolation(page);
  await page.goto(link);
  await page.getByLabel('Name').fill('asha');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByLabel('Password again').fill('short');
  await page.getByRole('button', { name: 'Make the admin and sign in' }).click();
  await expect(page.getByText('At least 8 characters', { exact: true })).toBeVisible();
  await expectNoAxeViolation(page);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Password again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the admin and sign in' }).click();
  await expect(page.getByRole('button', { name: 'Account of asha' })).toBeVisible();
});

test.describe('with a password', () => {
  test('one signs in, comes to the page that was asked for, and out again', async ({ page, start }) => {
    const warden = await start(GUARDED);
    await page.goto(`${warden.url}/stats?window=24h`);
    await expect(page).toHaveURL(/\/login\?next=/);
    await expectNoAxeViolation(page);
    await signIn(page, 'admin', 'wrong password');
    await expect(page.getByText('The name or the password is wrong')).toBeVisible();
    await expectNoAxeViolation(page);
    const faults = watchFaults(page);
    await signIn(page, 'admin');
    await expect(page).toHaveURL(/\/stats\?window=24h$/);
    await expect(page.getByRole('heading', { name: 'Stats', level: 1 })).toBeVisible();
    expect(faults).toEqual([]);

    // What the page asks meanwhile is refused, and must not lead back to it.
    let tries = 0;
    await page.route('**/api/session', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      tries += 1;
      if (tries === 1) return route.abort();
      const refused = page.waitForResponse((response) => response.status() === 401);
      const response = await route.fetch();
      await refused;
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const failed = page.getByRole('alert').filter({ hasText: 'The router cannot be reached' });
    await failed.getByRole('button', { name: 'Try again' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await page.goto(`${warden.url}/sessions`);
    await expect(page).toHaveURL(/\/login\?next=%2Fsessions$/);
  });

  test('a session that ends elsewhere leads to the login page, and back', async ({ page, start, context }) => {
    const warden = await start(GUARDED);
    await page.goto(`${warden.url}/sessions`);
    await signIn(page, 'admin');
    await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeVisible();
    await context.clearCookies();
    await expect(page).toHaveURL(/\/login\?next=%2Fsessions$/);
    await signIn(page, 'admin');
    await expect(page).toHaveURL(/\/sessions$/);
  });

  test('survives a restart of the router', async ({ page, start }) => {
    const warden = await start(GUARDED);
    await page.goto(warden.url);
    await signIn(page, 'admin');
    await expect(page.getByRole('article')).toBeVisible();
    await warden.restart();
    await page.goto(warden.url);
    await expect(page.getByRole('article')).toBeVisible();
  });

  test('a viewer sees everything and can change nothing', async ({ page, start }) => {
    const warden = await start(GUARDED);
    await page.goto(`${warden.url}/access`);
    await signIn(page, 'admin');
    await page.getByRole('button', { name: 'Add somebody' }).click();
    await expectNoAxeViolation(page);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await dialog.getByLabel('Name').fill('vera');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('Password again').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('row', { name: /vera/ }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Account of admin' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();

    // Forms that an address asks for are not for viewers, who would learn of it from a refusal.
    await page.goto(`${warden.url}/login?next=${encodeURIComponent('/?add=true')}`);
    await signIn(page, 'vera');
    await expect(page).toHaveURL(/\?add=true$/);
    await expect(page.getByRole('article')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Account of vera' })).toBeVisible();
    await page.goto(`${warden.url}/access`);
    await expect(page.getByRole('button', { name: 'Make a key' })).toBeDisabled();
    await expect(page.getByRole('heading', { name: 'Audit list' })).toHaveCount(0);
    await expectNoAxeViolation(page);
    await page.goto(`${warden.url}/models/${MODEL}?remove=true`);
    await expect(page.getByRole('region', { name: 'Configuration' })).toContainText('Other names');
    await expect(page.getByRole('switch', { name: 'Affinity' })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Drain replica 0' })).toBeDisabled();
    await expect(page.getByTitle('You are a viewer: an admin can change this').first()).toBeVisible();
    await expectNoAxeViolation(page);
  });

  test('a key is made, shown once, used, and revoked', async ({ page, start, context }) => {
    const warden = await start(GUARDED);
    // As on plain http, where pages may not write to the clipboard themselves.
    await context.grantPermissions(['clipboard-read']);
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not here'));
    });
    await page.goto(`${warden.url}/access`);
    await signIn(page, 'admin');
    await page.getByRole('button', { name: 'Make a key' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    await expect(dialog.getByText('Give it a name')).toBeVisible();
    await dialog.getByLabel('Name').fill('build farm');
    await dialog.getByLabel('Only these').check();
    await dialog.getByLabel(MODEL).check();
    await dialog.getByLabel('Requests per minute').fill('2');
    await expectNoAxeViolation(page);
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    const secret = (await page.getByRole('dialog').getByText(/^lmw_/).first().textContent()) ?? '';
    expect(secret).toMatch(/^lmw_[A-Za-z0-9_-]{43}$/);
    await expectNoAxeViolation(page);
    // What was just made is read first, and nothing but the button takes it away.
    await expect(dialog).toBeFocused();
    await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    const copy = dialog.getByRole('button', { name: 'Copy build farm' });
    await copy.click();
    await expect(dialog.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached();
    await expect(dialog.getByRole('button', { name: 'Copied', exact: true })).toBeFocused();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expect(page.getByText(secret)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Make a key' })).toBeFocused();

    const send = (key: string) =>
      fetch(`${warden.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ model: MODEL, max_tokens: 4, messages: [{ role: 'user', content: 'hello' }] }),
      });
    expect((await send(secret)).status).toBe(200);
    expect((await send('')).status).toBe(401);
    expect((await send(secret)).status).toBe(200);
    const refused = await send(secret);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });

    await expect(page.getByRole('table', { name: /What each key used/ }).getByText('build farm')).toBeVisible({
      timeout: 30_000,
    });
    const [row] = await tableRows(page.getByRole('table', { name: 'API keys' }));
    expect(row?.['Last used']).toMatch(/^\d+ s ago$/);
    const usageFile = await expectDownload(
      page,
      page.getByRole('button', { name: 'Download CSV' }).first(),
      'warden-keys-24h.csv',
    );
    expect(usageFile.toString('utf8').split('\r\n')[1]).toMatch(/^build farm,2,2,/);
    await expectPicture(page, page.getByRole('button', { name: 'Download PNG: Use by key' }), 'warden-keys-24h.png');
    await page.getByRole('radio', { name: 'the last 7 days' }).click();
    await expect(page).toHaveURL(/usage=7d/);
    // On Stats it is the time range of the page.
    const usage = page.getByRole('region', { name: 'Use by key' });
    await page.goto(`${warden.url}/stats?range=15m`);
    await expect(usage.getByRole('table', { name: 'What each key used in the last 15 minutes' })).toContainText(
      'build farm',
    );
    const [hour, now] = [Date.now() - 7_200_000, Date.now() - 3_600_000].map((time) => new Date(time).toISOString());
    await page.goto(`${warden.url}/stats?from=${hour}&to=${now}`);
    await expect(usage.getByText(/^No request with a key in /)).toBeVisible();
    await page.goto(`${warden.url}/access?usage=30d`);
    await expect(page.getByRole('table', { name: 'What each key used in the last 30 days' })).toBeVisible();
    await page.getByRole('button', { name: 'Revoke the key build farm' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(page.getByText('No key yet')).toBeVisible();
    expect((await send(secret)).status).toBe(401);
    await page.getByRole('combobox', { name: 'What', exact: true }).selectOption('key.revoke');
    const audit = page.getByRole('table', { name: 'Audit list' });
    await expect(audit.getByRole('row')).toHaveCount(2);
    await expect(audit.getByText('build farm')).toBeVisible();
    await expectNoAxeViolation(page);
    await page.route('**/api/audit?limit=1000*', (route) => route.abort(), { times: 1 });
    const csv = page.getByRole('button', { name: 'Download as CSV' });
    await csv.click();
    await expect(page.getByRole('region', { name: 'Audit list' }).getByRole('alert')).toBeVisible();
    const saving = page.waitForEvent('download');
    await csv.click();
    const lines = (await readFile(await (await saving).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('build farm');
  });
});

test('a script that is not of the build does not run, on a page with a name in its address neither', async ({
  page,
  idleWarden: warden,
}) => {
  for (const path of ['/stats', `/models/${encodeURIComponent('</script><script>window.ran=1</script>')}`]) {
    const answer = await page.goto(warden.url + path);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy.split('; ').find((part) => part.startsWith('script-src'))).toMatch(
      /^script-src 'self'( 'sha256-[A-Za-z0-9+/]+=')+$/,
    );
    await expect(page.getByRole('navigation').first()).toBeVisible();
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = 1';
      document.body.append(script);
    });
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  }
});

test.describe('on loopback without a password', () => {
  test('a password can be set, and from then on one signs in', async ({ page, warden }) => {
    await page.goto(`${warden.url}/access`);
    await expect(page.getByText('No password', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Set a password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('asha');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('Password again').fill('another one');
    await dialog.getByRole('button', { name: 'Set a password' }).click();
    await expect(dialog.getByText('The two are not the same')).toBeVisible();
    await dialog.getByLabel('Password again').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Set a password' }).click();
    await expect(page).toHaveURL(/\/login\?next=/);
    await signIn(page, 'asha');
    await expect(page).toHaveURL(/\/access$/);
    await expect(page.getByRole('row', { name: /asha.*you/ }).first()).toBeVisible();
    expect((await fetch(`${warden.url}/api/status`)).status).toBe(401);
  });

  test('the login page says that nobody needs to sign in', async ({ page, idleWarden: warden }) => {
    const faults = watchFaults(page);
    await page.goto(`${warden.url}/login`);
    await page.getByRole('link', { name: 'Go to the console' }).click();
    await expect(page.getByRole('article')).toBeVisible();
    expect(faults).toEqual([]);
  });

  test('the demo goes on when keys are needed', async ({ warden }) => {
    const json = { 'content-type': 'application/json' };
    const made = await fetch(`${warden.url}/api/keys`, { method: 'POST', headers: json, body: '{"name":"a"}' });
    expect(madeKey.parse(await made.json()).secret).toMatch(/^lmw_/);
    expect((await warden.get('/api/keys', keyList)).required_because).toBe('keys');
    await fetch(`${warden.url}/api/demo`, { method: 'POST', headers: json, body: '{"sessions":2}' });
    await expect
      .poll(async () => (await (await fetch(`${warden.url}/api/requests`)).json()).requests.length, { timeout: 30_000 })
      .toBeGreaterThan(0);
  });
});

for (const language of ['en', 'hi'] as const) {
  test(`in ${language}: login and access have no accessibility violation, and fit`, async ({ page, start }) => {
    const warden = await start(GUARDED);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.addInitScript((chosen) => localStorage.setItem('warden.language', chosen), language);
    await page.goto(`${warden.url}/access`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await page.locator('input[name=username]').fill('admin');
    await expectGoodAtEveryLook(page);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('button[type=submit]').click();
    await expect(page.getByRole('table')).toHaveCount(2);
    await expectGoodAtEveryLook(page);
  });
}
