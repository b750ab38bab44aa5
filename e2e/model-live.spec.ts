import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { inFlightList } from '#lib/contract/activity.ts';
import { modelList } from '#lib/contract/models.ts';
import { expectNoAxeViolation, overflow } from './axe.ts';
import { startEngine } from './engine.ts';
import { tableRows } from './table-rows.ts';
import { MODEL, openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

test('the requests in flight are those that the router holds, oldest first, until they end', async ({
  page,
  warden,
}) => {
  const sessions = [randomUUID(), randomUUID()];
  const running = [];
  for (const session of sessions) running.push(await openTurn(warden.url, { session, tokens: 2000 }));
  await page.goto(`${warden.url}/models/${MODEL}`);
  const card = page.getByRole('region', { name: 'In flight' });
  const rows = () => tableRows(card.getByRole('table', { name: 'Requests in flight' }));
  const listed = await warden.get(`/api/models/${MODEL}/in-flight`, inFlightList);
  expect(listed.requests.map(({ replica }) => replica)).toEqual(running.map(({ replica }) => replica));
  // "waiting" until its first byte is told.
  await expect(async () => {
    expect(await rows()).toEqual(
      listed.requests.map(({ replica, session }) =>
        expect.objectContaining({
          State: 'streaming',
          Replica: String(replica),
          Decision: 'placed',
          Session: `${session} x-claude-code-session-id`,
        }),
      ),
    );
  }).toPass({ timeout: 15_000 });
  for (const turn of running) turn.leave();
  await expect(card).toContainText('No request is under way');
});

test('the advice names the client without session keys, with its numbers, in both languages', async ({
  page,
  warden,
}) => {
  await page.goto(`${warden.url}/models/${MODEL}`);
  const advice = page.getByRole('region', { name: 'Advice' });
  await expect(advice).toContainText('0 of 30 requests that it takes to say more');
  const headers = { 'user-agent': 'nightly-job/1.0' };
  for (let sent = 0; sent < 30; sent += 1) {
    await sendTurn(warden.url, {
      path: '/v1/completions',
      headers,
      body: { prompt: `question ${sent}`, max_tokens: 1 },
    });
  }
  await expect(advice).toContainText('Many requests have no session key', { timeout: 20_000 });
  await expect(advice).toContainText('30 of 30 requests (100%)');
  await expect(advice).toContainText('nightly-job');
  await expectNoAxeViolation(page);

  await page.evaluate(() => localStorage.setItem('warden.language', 'hi'));
  await page.reload();
  await expect(page.getByRole('region', { name: 'सुझाव' })).toContainText('बहुत सी रिक्वेस्ट में सेशन key नहीं है');
});

test('eight replicas of a model with a long name fit the overview, down to 360 px', async ({ page, start, config }) => {
  const name = 'some-organisation/An-Exceptionally-Long-Model-Name-235B-A22B-Instruct-FP8-2507';
  const engine = await startEngine({ replicas: 8 });
  const file = config(`models:\n  - name: ${name}\n    replicas: [{ url: "${engine.url}" }]\n`);
  const warden = await start({ WARDEN_CONFIG: file.path });
  await expect
    .poll(async () => (await warden.get('/api/models', modelList)).models[0]?.replicas_up, { timeout: 20_000 })
    .toBe(8);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(warden.url);
    const strip = page.getByRole('article').getByRole('list', { name: 'Replicas' });
    await expect(strip.getByRole('listitem')).toHaveCount(8);
    expect(await overflow(page)).toBe(0);
    await expectNoAxeViolation(page);
  }
  await page.getByRole('link', { name }).click();
  await expect(page).toHaveURL(`${warden.url}/models/${encodeURIComponent(name)}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await engine.die();
  await page.goto(warden.url);
  await expect(page.getByRole('article')).toContainText('0 of 8', { timeout: 20_000 });
});
