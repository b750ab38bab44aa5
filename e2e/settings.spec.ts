import { expect } from 'playwright/test';
import { settingsState } from '#lib/contract/settings.ts';
import { tableRows } from './table-rows.ts';
import { MODEL } from './turns.ts';
import { test } from './warden-test.ts';

test('the settings say where each value comes from, and never a key', async ({ page, start, engine, config }) => {
  const file = config(
    `limits:\n  max_body_mb: 64\nmodels:\n  - name: ${MODEL}\n    api_key: \${ENGINE_KEY}\n    replicas:\n      - url: ${engine.url}\n`,
  );
  const warden = await start({ WARDEN_CONFIG: file.path, ENGINE_KEY: 'sk-hidden-value' });
  await page.goto(`${warden.url}/settings`);
  const table = page.getByRole('table', { name: 'Configuration in force' });
  await expect(table).toBeVisible();
  const rows = await tableRows(table);
  const row = (name: string) => rows.find(({ Setting }) => Setting === name);
  expect(row('limits.max_body_mb')).toMatchObject({ Value: '64', 'Comes from': 'warden.yaml, line 2' });
  expect(row('limits.engine_away_seconds')).toMatchObject({ 'Comes from': 'default' });
  expect(row('api_key')).toMatchObject({ Value: 'set, not shown' });
  expect(row('api_key')?.['Comes from']).toContain('from ENGINE_KEY');
  expect(row('WARDEN_PORT')).toMatchObject({ 'Comes from': 'environment', 'Holds for': 'the process' });
  await expect(page.locator('body')).not.toContainText('sk-hidden-value');

  await page.getByRole('searchbox', { name: 'Search the settings' }).fill('limits body');
  await expect(table.locator('tbody tr')).toHaveCount(2);
  await expect(page).toHaveURL(/\?q=limits\+body$/);
  await page.getByRole('button', { name: 'Setting' }).click();
  await expect(page.getByRole('columnheader', { name: 'Setting' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('button', { name: 'Setting' }).click();
  await expect(page).toHaveURL(/sort=-key/);
  await expect(table.locator('tbody tr').first()).toContainText('limits.max_body_mb');
  await page.reload();
  await expect(table.locator('tbody tr').first()).toContainText('limits.max_body_mb');
});

test('how long things are kept is changed in place; what deletes is asked first', async ({ page, warden }) => {
  await page.goto(`${warden.url}/settings`);
  const field = page.getByRole('textbox', { name: /^Series by the minute/ });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(field).toHaveValue('14');
  await field.fill('1');
  await expect(field).toHaveAccessibleDescription('A whole number from 2 to 400');
  await expect(save).toBeDisabled();
  await field.fill('30');
  await save.click();
  await expect(save).toBeDisabled();
  const kept = async () => {
    const { retention } = await warden.get('/api/settings', settingsState);
    return retention.find(({ name }) => name === 'minute_days');
  };
  await expect.poll(kept).toMatchObject({ value: 30, chosen: true });

  await field.fill('14');
  await save.click();
  const question = page.getByRole('alertdialog', { name: 'Delete what is older?' });
  await expect(question).toBeVisible();
  expect(await kept()).toMatchObject({ value: 30 });
  await question.getByRole('button', { name: 'Save and delete' }).click();
  await expect.poll(kept).toMatchObject({ value: 14, chosen: false });
});

test('the database is shown with its files and tables', async ({ page, idleWarden: warden }) => {
  await page.goto(`${warden.url}/settings`);
  const card = page.getByRole('region', { name: 'Database' });
  await expect(card).toContainText('warden.db');
  await expect(card.getByText(/KiB.* of write-ahead log/)).toBeVisible();
  await expect(card.getByRole('table').getByText('replica_sample', { exact: true })).toBeVisible();
});
