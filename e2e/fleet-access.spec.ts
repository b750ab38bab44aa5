import { expect, type Page } from 'playwright/test';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import { expectNoAxeViolation, overflow } from './axe.ts';
import { test } from './warden-test.ts';

const PASSWORD = 'correct horse battery';
const LANGUAGES = {
  en: { keysHold: /hold on every warden of the fleet/, signInsHold: /signed in on all/ },
  hi: { keysHold: /फ़्लीट के हर वार्डन पर मान्य/, signInsHold: /सब पर साइन इन/ },
} as const;

let redis: TestRedis;
test.beforeEach(async () => {
  redis = await startRedis();
});
test.afterEach(() => redis.close());

test('whoever signs in on one warden finds the same keys and people on another', async ({ start, engine, page }) => {
  const env = { WARDEN_UPSTREAM: engine.url, WARDEN_SHARED: redis.url, WARDEN_ADMIN_PASSWORD: PASSWORD };
  const [one, two] = [await start(env), await start(env)];
  await page.goto(`${one.url}/access`);
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('build farm');
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();

  // One cookie, as behind one name: ports are not told apart by browsers.
  await page.goto(`${two.url}/access`);
  await expect(page.getByRole('row', { name: /build farm/ })).toContainText('by admin');
  await page.getByRole('button', { name: 'Revoke the key build farm' }).click();
  // Keys stay needed in a fleet: nobody is told that /v1 opens.
  await expect(page.getByRole('alertdialog')).not.toContainText('It is the last key');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Show 1 revoked key')).toBeVisible();
  await page.goto(`${one.url}/access`);
  await expect(page.getByText('Show 1 revoked key')).toBeVisible();
  await expect(page.getByText('needed for /v1, since there are keys')).toBeVisible();

  for (const [language, { keysHold, signInsHold }] of Object.entries(LANGUAGES)) {
    await page.evaluate((chosen) => localStorage.setItem('warden.language', chosen), language);
    for (const [path, words] of [
      ['access', keysHold],
      ['fleet', signInsHold],
    ] as const) {
      await page.goto(`${one.url}/${path}`);
      await expect(page.getByText(words)).toBeVisible();
      await expectToFit(page);
    }
  }
});

async function expectToFit(page: Page): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflow(page)).toBe(0);
  }
  await expectNoAxeViolation(page);
}
