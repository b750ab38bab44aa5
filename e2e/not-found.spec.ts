import { expect } from 'playwright/test';
import { test } from './warden-test.ts';

test('an address that is no page says so and leads back', async ({ page, idleWarden: warden }) => {
  const answer = await page.goto(`${warden.url}/no-such-page`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByText('There is no such page')).toBeVisible();
  await page.getByRole('main').getByRole('link').click();
  await expect(page.getByRole('link', { name: 'qwen3-4b-dp4' })).toBeVisible();
});

test('a model that is not served is named, with the way to those that are', async ({ page, idleWarden: warden }) => {
  await page.goto(`${warden.url}/models/not%2Fserved`);
  await expect(page.getByText('There is no model named not/served')).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
  await page.getByRole('main').getByRole('link').click();
  await expect(page.getByRole('link', { name: 'qwen3-4b-dp4' })).toBeVisible();
});

test('pages narrowed to a model that is not served say so instead of staying empty', async ({
  page,
  idleWarden: warden,
}) => {
  for (const path of ['/stats', '/sessions', '/requests']) {
    await page.goto(`${warden.url}${path}?model=gone`);
    await expect(page.getByRole('main').getByText('There is no model "gone"').first()).toBeVisible();
  }
});

test('the API says what it does not know, as problem details', async ({ idleWarden: warden }) => {
  for (const path of ['/api/models/gone/routing', '/api/stats/tokens?model=gone', '/api/nothing']) {
    const answer = await fetch(warden.url + path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(await answer.json()).toMatchObject({ status: 404, detail: expect.stringMatching(/There is no/) });
  }
});

test('a model whose name has slashes, spaces and percent signs has a page like any other', async ({
  page,
  start,
  engine,
  config,
}) => {
  const name = 'Org/Model 100%-A?b#c';
  const models = [{ name, served_model_name: 'qwen3-4b-dp4', replicas: [{ url: engine.url }] }];
  const warden = await start({ WARDEN_CONFIG: config(JSON.stringify({ models })).path });
  await page.goto(warden.url);
  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Replicas' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('table', { name: 'Replicas' })).toBeVisible();
  await page.getByRole('switch', { name: 'Affinity' }).click();
  await expect(page.getByText('Affinity off')).toBeVisible();
});
