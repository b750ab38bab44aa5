import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { fleetFigures, fleetState } from '#lib/contract/fleet.ts';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import { watchAnswers } from './api-answers.ts';
import { expectNoAxeViolation, overflow } from './axe.ts';
import { metric } from './metric.ts';
import { tableRows } from './table-rows.ts';
import { MODEL, openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

let redis: TestRedis;
test.beforeEach(async () => {
  redis = await startRedis();
});
test.afterEach(() => redis.close());

test('shows the wardens that share a memory, and that it is away', async ({ start, engine, page }) => {
  const env = { WARDEN_UPSTREAM: engine.url, WARDEN_SHARED: redis.url };
  const [one, two] = [await start(env), await start(env)];
  const answers = watchAnswers(page);
  await page.goto(`${one.url}/fleet`);
  const wardens = page.getByRole('table', { name: 'Wardens' });
  await expect(wardens.getByRole('row', { name: one.url })).toContainText('this one');
  await expect(wardens.getByRole('link', { name: two.url })).toBeVisible();
  await expect(page.getByText('Shared memory is up')).toBeVisible();

  const session = randomUUID();
  const first = await sendTurn(one.url, { session });
  const second = await sendTurn(two.url, { session });
  expect(second.decision).toBe('sticky');
  expect(second.replica).toBe(first.replica);
  // The other warden's request: it stands with that one and in the sum, and as other wardens' at its replica.
  const running = await openTurn(two.url, { session, tokens: 2000 });
  expect(running.replica).toBe(first.replica);
  await expect(async () => {
    const counts = (await tableRows(wardens)).map((row) => [row.Warden, row['In flight'], row['Live sessions']]);
    expect(counts.find(([name]) => name?.startsWith(one.url))).toEqual([`${one.url} this one`, '0', '1']);
    expect(counts).toContainEqual([two.url, '1', '0']);
    expect(counts).toContainEqual(['All wardens', '1', '1']);
    const replicas = await tableRows(page.getByRole('table', { name: 'Requests in flight' }));
    const loads = replicas.map((row) => [row.Model, row['This warden'], row['Other wardens'], row.Together]);
    expect(loads).toEqual(
      Array.from({ length: 4 }, (_, replica) => {
        const elsewhere = replica === first.replica ? '1' : '0';
        return [MODEL, '0', elsewhere, elsewhere];
      }),
    );
  }).toPass({ timeout: 15_000 });
  // More of them, at both: the page shows what the API told it, and each warden's metrics count its own.
  const more = await Promise.all(
    [one, two, two].map(({ url }) => openTurn(url, { session: randomUUID(), tokens: 2000 })),
  );
  await expect(async () => {
    const { members, replicas } = answers.of('/api/fleet', fleetState);
    const rows = await tableRows(wardens);
    const counted = members.map(({ url, models }) => {
      const sum = (of: (model: (typeof models)[number]) => number) => models.reduce((all, one) => all + of(one), 0);
      return [url, sum((model) => model.in_flight), sum((model) => model.held), sum((model) => model.live_sessions)];
    });
    const shown = rows
      .filter(({ Warden }) => Warden !== 'All wardens')
      .map((row) => [
        row.Warden?.split(' ')[0],
        Number(row['In flight']),
        Number(row.Held),
        Number(row['Live sessions']),
      ]);
    expect(shown).toEqual(counted);
    for (const each of [one, two]) {
      const told = counted.find(([url]) => url === each.url);
      expect(told?.[1]).toBe(await metric(each, 'warden_model_in_flight_requests'));
    }
    expect(counted.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(4);
    const loads = await tableRows(page.getByRole('table', { name: 'Requests in flight' }));
    expect(loads.map((row) => [row['This warden'], row['Other wardens']].map(Number))).toEqual(
      replicas.map(({ in_flight_here, in_flight_elsewhere }) => [in_flight_here, in_flight_elsewhere]),
    );
  }).toPass({ timeout: 15_000 });
  // What is over stands with the warden that took it, whichever of them is looked at: the other one was asked.
  const took = page.getByRole('table', { name: 'Last 15 minutes, by warden' });
  await expect(async () => {
    const rows = (await tableRows(took)).map((row) => [row.Warden, row.Requests, row.Placed, row.Sticky, row.Failed]);
    expect(rows).toContainEqual([`${one.url} this one`, '1', '1', '0', '0']);
    expect(rows).toContainEqual([two.url, '1', '0', '1', '0']);
    expect(rows).toContainEqual(['All wardens', '2', '1', '1', '0']);
    const { wardens: told } = answers.of('/api/fleet/figures', fleetFigures);
    const bytes = told.map(({ figures }) => figures?.all.ttfb_seconds.count);
    expect(bytes).toEqual([1, 1]);
  }).toPass({ timeout: 20_000 });
  await expect(took.getByRole('link', { name: two.url })).toHaveAttribute('href', two.url);
  for (const turn of [running, ...more]) turn.leave();

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflow(page)).toBe(0);
  await expectNoAxeViolation(page);

  await redis.stop();
  await expect(page.getByText('Shared memory is away').first()).toBeVisible({ timeout: 15_000 });
  expect((await sendTurn(two.url, { session })).decision).toBe('sticky');
  await redis.start();
  await expect(page.getByText('Shared memory is up')).toBeVisible({ timeout: 15_000 });
});
