import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { processStatus, sessionList } from '#lib/contract/activity.ts';
import { modelList } from '#lib/contract/models.ts';
import { standsFor } from './shown-number.ts';
import { MODEL, openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

test('a card says what /api says of the model and leads to its page', async ({ page, warden }) => {
  const session = randomUUID();
  const history = { messages: [{ role: 'user', content: 'a long history '.repeat(300) }] };
  for (let turn = 0; turn < 2; turn += 1) await sendTurn(warden.url, { session, body: history });
  const running = await openTurn(warden.url, { session: randomUUID(), tokens: 2000 });

  await page.goto(warden.url);
  const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: MODEL }) });
  await expect(card).toContainText('Up');
  await expect(card).toContainText('Affinity on');
  await expect(card).toContainText('Simulated');
  const fact = (name: string) =>
    card
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${name}`) })
      .locator('xpath=following-sibling::dd[1]');
  await expect(fact('In flight')).toHaveText('1');
  await expect(fact('Live sessions')).toHaveText('2');
  await expect(fact('Replicas up')).toHaveText('4 of 4');
  const told = async () => (await warden.get('/api/models', modelList)).models[0];
  const expected = { name: MODEL, origin: 'simulated', in_flight: 1, live_sessions: 2, requests_1h: 2 };
  // Finished requests are counted once they are written, once a second.
  await expect.poll(told).toMatchObject(expected);
  const model = await told();
  await expect(fact('Hit share')).toContainText(`${model?.cache_hit_percent_1h?.toFixed(0)}%`);
  await expect(async () => {
    const text = (await fact('First byte').textContent()) ?? '';
    // Behind the numbers stands which is which.
    const [p50 = '', p95 = ''] = text.replace(/p50.*$/, '').split('·');
    expect(standsFor(p50, model?.ttfb_p50_seconds_15m ?? null), p50).toBe(true);
    expect(standsFor(p95, model?.ttfb_p95_seconds_15m ?? null), p95).toBe(true);
  }).toPass({ timeout: 15_000 });
  await expect(card.getByRole('img', { name: /^Hit share over the last hour, \d+%/ })).toBeVisible();
  await expect(card).toContainText(
    /conversations? × [\d.k]+ tokens(, [\d.k]+ of them shared,)? = [\d.k]+: fits the cache of [\d.k]+\./,
  );

  running.leave();
  await expect(fact('In flight')).toHaveText('0');
  const line = card.getByRole('link', { name: /^Hit share over the last hour, .*Its chart on Stats, with the table/ });
  await line.click();
  await expect(page).toHaveURL(`${warden.url}/stats?model=${MODEL}`);
  await page.getByRole('button', { name: 'Show table: Tokens per second' }).click();
  await expect(page.getByRole('columnheader', { name: 'Cache hit' })).toBeVisible();
  await page.goBack();
  await card.getByRole('link', { name: MODEL }).click();
  await expect(page).toHaveURL(`${warden.url}/models/${MODEL}`);
  await expect(page.getByRole('heading', { level: 1, name: MODEL })).toBeVisible();
});

test('every page says that the fleet is simulated', async ({ page, idleWarden: warden }) => {
  for (const path of ['/', `/models/${MODEL}`, '/stats', '/sessions', '/requests', '/connect']) {
    await page.goto(warden.url + path);
    await expect(page.getByRole('banner').getByText('Simulated fleet')).toBeVisible();
  }
});

test('the demo control starts synthetic sessions, and everything moves, and stops them', async ({ page, warden }) => {
  await page.goto(warden.url);
  const demo = page.getByRole('region', { name: 'Simulated fleet' });
  const control = demo.getByRole('switch', { name: 'Synthetic agent sessions' });
  const count = demo.getByRole('textbox', { name: 'Number of synthetic agent sessions' });
  const running = async () => (await warden.get('/api/status', processStatus)).demo;
  await expect(control).not.toBeChecked();
  await count.fill('3');
  await count.press('Enter');
  await expect(control).toBeChecked();
  await expect.poll(running).toEqual({ sessions: 3 });

  await expect.poll(async () => (await warden.get('/api/sessions', sessionList)).sessions.length).toBe(3);
  const live = page.getByRole('term').filter({ hasText: 'Live sessions' }).locator('xpath=following-sibling::dd[1]');
  await expect(live).toHaveText('3');
  await page.getByRole('link', { name: 'Sessions' }).click();
  await expect(page.getByRole('table', { name: 'Live sessions' }).getByRole('row')).toHaveCount(4);
  await page.getByRole('link', { name: 'Requests' }).click();
  await expect(page.getByRole('table', { name: 'Newest requests' })).toContainText('placed', { timeout: 30_000 });

  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await expect(count).toHaveValue('3');
  await control.click();
  await expect(control).not.toBeChecked();
  await expect.poll(running).toEqual({ sessions: 0 });
  await expect
    .poll(async () => (await warden.get('/api/models', modelList)).models.map((model) => model.in_flight))
    .toEqual([0]);
});
