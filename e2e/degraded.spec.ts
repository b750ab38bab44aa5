import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { processStatus } from '#lib/contract/activity.ts';
import { startBuiltWarden } from './built-warden.ts';
import { configFile, deadAddress, engineOf } from './engine-behind.ts';
import { openModelPage, routing } from './model-page.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

test('an upstream that nobody listens on: the process runs, and every page says what is missing', async ({ page }) => {
  const upstream = await deadAddress();
  const warden = await startBuiltWarden({ WARDEN_UPSTREAM: upstream });
  try {
    for (const path of ['/', '/stats', '/connect']) {
      await page.goto(warden.url + path);
      await expect(page.getByRole('status').filter({ hasText: upstream })).toContainText('has not answered yet');
    }
    expect((await fetch(`${warden.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${warden.url}/readyz`)).status).toBe(503);
    const turn = await sendTurn(warden.url);
    expect(turn.status).toBeGreaterThanOrEqual(400);
    expect(turn.body).toMatchObject({ error: { message: expect.any(String) } });
  } finally {
    await warden.dispose();
  }
});

test('a configured engine that is down: its card says so, a request is refused with the reason', async ({ page }) => {
  const upstream = await deadAddress();
  const file = configFile(`models:\n  - name: ${MODEL}\n    replicas:\n      - url: ${upstream}\n        ranks: 2\n`);
  const warden = await startBuiltWarden({ WARDEN_CONFIG: file.path });
  try {
    await page.goto(warden.url);
    const card = page.getByRole('article');
    await expect(card.getByText('Down', { exact: true })).toBeVisible();
    await expect(card).toContainText('0/2');
    await card.getByRole('link').click();
    await expect(page.getByRole('region', { name: 'Engine' }).getByRole('alert')).toContainText('connection refused');
    const turn = await sendTurn(warden.url);
    expect(turn.status).toBe(503);
    expect(turn.body).toMatchObject({ error: { message: expect.stringContaining(MODEL) } });
  } finally {
    await warden.dispose();
    file.remove();
  }
});

test('an engine that goes away while the page is open: down within seconds, the counters stay', async ({
  page,
  warden: engines,
}) => {
  const warden = await startBuiltWarden({ WARDEN_UPSTREAM: await engineOf(engines) });
  try {
    const session = randomUUID();
    const { replica } = await sendTurn(warden.url, { session });
    await sendTurn(warden.url, { session });
    await page.goto(`${warden.url}/models/${MODEL}`);
    const table = page.getByRole('table', { name: 'Replicas' });
    await expect(table.getByText('Up')).toHaveCount(4);
    await engines.stop('SIGKILL');
    await expect(table.getByText('Down')).toHaveCount(4);
    await expect(page.getByRole('region', { name: 'Engine' }).getByRole('alert')).toBeVisible();
    expect((await routing(warden)).replicas[replica ?? -1]).toMatchObject({ placed: 1, sticky: 1 });
    expect((await sendTurn(warden.url, { session })).status).toBe(503);
    expect((await fetch(`${warden.url}/readyz`)).status).toBe(503);
  } finally {
    await warden.dispose();
  }
});

test('the router gone: the data stays on screen under a banner; the router back: it recovers by itself', async ({
  page,
  warden,
}) => {
  const session = randomUUID();
  for (let turn = 0; turn < 3; turn += 1) await sendTurn(warden.url, { session });
  const { label, rows, affinity, card } = await openModelPage(page);
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
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Turn affinity off' }).click();
  await expect(card.getByRole('alert')).toContainText('Not changed');
  await expect(affinity).toBeChecked();

  await warden.restart();
  await expect(banner).toBeHidden();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const again = await sendTurn(warden.url, { session: randomUUID() });
  await expect.poll(async () => Number((await rows())[again.replica ?? -1]?.['Live sessions'])).toBeGreaterThan(0);
});

test('while the page is paused nothing is asked; resumed, it is current at once', async ({ page, warden }) => {
  const { rows } = await openModelPage(page);
  await expect.poll(async () => (await rows()).length).toBe(4);
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

test('a warning of the router stands on every page until it is over', async ({ page, warden: engines }) => {
  const good = `models:\n  - name: ${MODEL}\n    replicas:\n      - url: ${await engineOf(engines)}\n`;
  const file = configFile(good);
  const warden = await startBuiltWarden({ WARDEN_CONFIG: file.path });
  try {
    await page.goto(warden.url);
    await expect(page.getByRole('article')).toBeVisible();
    file.write('models: [');
    const warning = page.getByRole('status').filter({ hasText: file.path });
    await expect(warning).toContainText('not in force');
    await page.goto(`${warden.url}/requests`);
    await expect(warning).toBeVisible();
    file.write(`${good}    max_num_seqs: 16\n`);
    await expect(warning).toBeHidden();
    expect((await warden.get('/api/status', processStatus)).warnings).toEqual([]);
  } finally {
    await warden.dispose();
    file.remove();
  }
});
