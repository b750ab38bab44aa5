import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { processStatus } from '#lib/contract/activity.ts';
import { deadAddress } from './engine.ts';
import { openModelPage, routing } from './model-page.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

const modelAt = (url: string, more = '') => `models:\n  - name: ${MODEL}\n    replicas:\n      - url: ${url}\n${more}`;
const engineAlert = (page: Page) => page.getByRole('region', { name: 'Engine' }).getByRole('alert');

test('an upstream that nobody listens on: the process runs, and every page says what is missing', async ({
  page,
  start,
}) => {
  const upstream = await deadAddress();
  const warden = await start({ WARDEN_UPSTREAM: upstream });
  for (const path of ['/', '/stats', '/connect']) {
    await page.goto(warden.url + path);
    await expect(page.getByRole('status').filter({ hasText: upstream })).toContainText('has not answered yet');
  }
  expect((await fetch(`${warden.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${warden.url}/readyz`)).status).toBe(503);
  const turn = await sendTurn(warden.url);
  expect(turn.status).toBeGreaterThanOrEqual(400);
  expect(turn.body).toMatchObject({ error: { message: expect.any(String) } });
});

test('an upstream that answers later is taken in by itself', async ({ page, start, engine }) => {
  await engine.die();
  const warden = await start({ WARDEN_UPSTREAM: engine.url });
  await page.goto(warden.url);
  const missing = page.getByRole('status').filter({ hasText: engine.url });
  await expect(missing).toBeVisible();
  await engine.comeBack();
  await expect(page.getByRole('link', { name: MODEL })).toBeVisible();
  await expect(missing).toBeHidden();
  expect((await sendTurn(warden.url)).status).toBe(200);
});

test('a configured engine that is down: its card says so, a request is refused with the reason', async ({
  page,
  start,
  config,
}) => {
  const warden = await start({ WARDEN_CONFIG: config(modelAt(await deadAddress(), '        ranks: 2\n')).path });
  await page.goto(warden.url);
  const card = page.getByRole('article');
  await expect(card.getByText('Down', { exact: true })).toBeVisible();
  await expect(card).toContainText('0 of 2');
  await card.getByRole('link', { name: MODEL, exact: true }).click();
  await expect(engineAlert(page)).toContainText('connection refused');
  const turn = await sendTurn(warden.url);
  expect(turn.status).toBe(503);
  expect(turn.body).toMatchObject({ error: { message: expect.stringContaining(MODEL) } });
});

test('an engine that dies and comes back: down and up again by itself, the counters stay', async ({
  page,
  start,
  engine,
}) => {
  const warden = await start({ WARDEN_UPSTREAM: engine.url });
  const session = randomUUID();
  const { replica } = await sendTurn(warden.url, { session });
  await sendTurn(warden.url, { session });
  await page.goto(`${warden.url}/models/${MODEL}`);
  const table = page.getByRole('table', { name: 'Replicas' });
  await expect(table.getByText('Up')).toHaveCount(4);

  await engine.die();
  await expect(table.getByText('Down')).toHaveCount(4);
  await expect(engineAlert(page)).toBeVisible();
  expect((await routing(warden)).replicas[replica ?? -1]).toMatchObject({ placed: 1, sticky: 1 });
  expect((await fetch(`${warden.url}/readyz`)).status).toBe(503);

  // A turn that comes meanwhile is held, not failed.
  const held = sendTurn(warden.url, { session });
  await engine.comeBack();
  await expect(table.getByText('Up')).toHaveCount(4);
  await expect(engineAlert(page)).toBeHidden();
  await expect(page.getByRole('region', { name: 'Engine' })).toContainText('Restarted');
  expect((await held).status).toBe(200);
  expect((await fetch(`${warden.url}/readyz`)).status).toBe(200);
});

test('the router gone: the data stays on screen under a banner; the router back: it recovers by itself', async ({
  page,
  warden,
}) => {
  const session = randomUUID();
  for (let turn = 0; turn < 3; turn += 1) await sendTurn(warden.url, { session });
  const { label, rows, affinity, card } = await openModelPage(page, warden);
  await expect(label('Sticky 100.0%')).toBeVisible();
  await expect.poll(async () => (await rows()).some((row) => row.Sticky === '2')).toBe(true);

  await warden.stop('SIGKILL');
  const banner = page.getByRole('alert').filter({ hasText: 'The router cannot be reached' });
  await expect(banner).toBeVisible();
  await expect(banner).toContainText('What is on screen is from');
  await expect(page.getByText('Not reached')).toBeVisible();
  await expect(label('Sticky 100.0%')).toBeVisible();
  expect((await rows()).some((row) => row.Sticky === '2')).toBe(true);

  // A change that cannot arrive is told, and not shown as if it had.
  await affinity.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn affinity off' }).click();
  await expect(card.getByRole('alert')).toContainText('Not changed');
  await expect(affinity).toBeChecked();

  await warden.restart();
  await expect(banner).toBeHidden();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const again = await sendTurn(warden.url, { session: randomUUID() });
  await expect.poll(async () => Number((await rows())[again.replica ?? -1]?.['Live sessions'])).toBeGreaterThan(0);
});

test('while the page is paused nothing is asked; resumed, it is current at once', async ({ page, warden }) => {
  const { rows } = await openModelPage(page, warden);
  await expect.poll(async () => (await rows()).length).toBe(4);
  // What comes on screen for the first time asks once, also while it is paused: all is there before.
  await expect(page.getByRole('region', { name: 'Events' })).toBeVisible();
  await expect(page.locator('main [role=status][aria-label]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Pause updates' }).click();
  await expect(page.getByText('Paused')).toBeVisible();
  const { replica } = await sendTurn(warden.url, { session: randomUUID() });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  // Longer than any of the page's intervals, as the age on screen shows.
  await expect(page.getByTitle(/^Last answer of the router: [6-9] s ago$/)).toBeVisible();
  expect(asked.filter((url) => url.includes('/api/'))).toEqual([]);
  expect((await rows())[replica ?? -1]?.Placed).toBe('0');
  await page.getByRole('button', { name: 'Resume updates' }).click();
  await expect.poll(async () => (await rows())[replica ?? -1]?.Placed).toBe('1');
});

test('a warning of the router stands on every page until it is over', async ({ page, start, engine, config }) => {
  const file = config(modelAt(engine.url));
  const warden = await start({ WARDEN_CONFIG: file.path });
  await page.goto(warden.url);
  await expect(page.getByRole('article')).toBeVisible();
  file.write('models: [');
  const warning = page.getByRole('status').filter({ hasText: file.path });
  await expect(warning).toContainText('not in force');
  await page.goto(`${warden.url}/requests`);
  await expect(warning).toBeVisible();
  file.write(modelAt(engine.url, '    max_num_seqs: 16\n'));
  await expect(warning).toBeHidden();
  expect((await warden.get('/api/status', processStatus)).warnings).toEqual([]);
});
