import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import { expectNoAxeViolation, overflow } from './axe.ts';
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
  running.leave();

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflow(page)).toBe(0);
  await expectNoAxeViolation(page);

  await redis.stop();
  await expect(page.getByText('Shared memory is away').first()).toBeVisible({ timeout: 15_000 });
  expect((await sendTurn(two.url, { session })).decision).toBe('sticky');
  await redis.start();
  await expect(page.getByText('Shared memory is up')).toBeVisible({ timeout: 15_000 });
});
