import { expect } from 'playwright/test';
import { alertList } from '#lib/contract/alerts.ts';
import { expectNoAxeViolation } from './axe.ts';
import { MODEL } from './turns.ts';
import { test } from './warden-test.ts';

test('an engine that stays down is told on every page, with what to do, and is over when it is back', async ({
  page,
  start,
  engine,
  config,
}) => {
  test.setTimeout(120_000);
  const file = config(`models:\n  - name: ${MODEL}\n    replicas:\n      - url: ${engine.url}\n`);
  const warden = await start({ WARDEN_CONFIG: file.path });
  await page.goto(warden.url);
  await page.getByRole('button', { name: 'Alerts: none' }).click();
  await expect(page.getByRole('dialog')).toContainText('Nothing is wrong');
  await page.keyboard.press('Escape');

  await engine.die();
  const bell = page.getByRole('button', { name: 'Alerts: 1 is raised' });
  await expect(bell).toBeVisible({ timeout: 60_000 });
  for (const path of ['/', '/stats']) {
    await page.goto(warden.url + path);
    await expect(page.getByRole('alert').filter({ hasText: `No replica of ${MODEL} is up` })).toContainText(
      'Look whether the engine runs',
    );
  }
  await bell.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toContainText(engine.url);
  await expectNoAxeViolation(page);

  await engine.comeBack();
  await expect(dialog.getByRole('region', { name: 'Over' })).toContainText(`No replica of ${MODEL} is up`, {
    timeout: 40_000,
  });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert').filter({ hasText: MODEL })).toBeHidden();
  const { resolved } = await warden.get('/api/alerts', alertList);
  expect(resolved.map(({ code }) => code)).toContain('engine_down');
});

test('alerts that cannot be read are not known, and never none', async ({ page, idleWarden: warden }) => {
  await page.route('**/api/alerts', (route) => route.fulfill({ status: 500, json: {} }));
  // Paused, so that nothing but the button asks again.
  await page.goto(`${warden.url}?paused=true`);
  const bell = page.getByRole('button', { name: /^Alerts: / });
  await expect(page.getByRole('article')).toBeVisible();
  await expect(bell).toHaveAccessibleName('Alerts: not known');
  await expect(bell).toContainText('?');
  await bell.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog).not.toContainText('Nothing is wrong');
  await expectNoAxeViolation(page);

  await page.unroute('**/api/alerts');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog).toContainText('Nothing is wrong');
  await page.keyboard.press('Escape');
  await expect(bell).toHaveAccessibleName('Alerts: none');

  await page.goto(warden.url);
  await expect(bell).toHaveAccessibleName('Alerts: none');
  await page.route('**/api/alerts', (route) => route.fulfill({ status: 500, json: {} }));
  await expect(bell).toHaveAccessibleName('Alerts: not known', { timeout: 20_000 });
});

test('a critical alert is spoken once, while the figures on screen go on', async ({ page, idleWarden: warden }) => {
  let seconds = 100;
  const stuck = {
    id: 'stuck',
    code: 'replica_stuck',
    severity: 'critical',
    model: MODEL,
    replica: 2,
    url: null,
    since: '2026-11-30T12:00:00.000Z',
    resolved_at: null,
    message: '',
    action: '',
  };
  await page.route('**/api/alerts', (route) => {
    seconds += 5;
    return route.fulfill({ json: { alerts: [{ ...stuck, values: { waiting: 3, seconds } }], resolved: [] } });
  });
  await page.clock.install();
  await page.goto(warden.url);
  const banners = page.getByText(/^Replica 2 of .* has made no token for/);
  const spoken = page.getByRole('alert').filter({ hasText: 'Replica 2' });
  await expect(spoken).toContainText('1 min 45 s');
  await expect(banners.filter({ hasText: '1 min 45 s' })).toHaveCount(2);
  await page.clock.runFor(5000);
  await expect(banners.filter({ hasText: '1 min 50 s' })).toHaveCount(1);
  await expect(spoken).toContainText('1 min 45 s');
  await expect(spoken).toHaveCount(1);
});
