import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { openModelPage, routing } from './model-page.ts';
import { openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

test('a drained replica gives up its conversations with their next turn, and takes none until it is taken back', async ({
  page,
  warden,
}) => {
  const session = randomUUID();
  const home = (await sendTurn(warden.url, { session })).replica ?? -1;
  const running = await openTurn(warden.url, { session, tokens: 2000 });
  expect(running.replica).toBe(home);
  const { card, rows } = await openModelPage(page, warden);

  await card.getByRole('button', { name: `Drain replica ${home}` }).click();
  const question = page.getByRole('alertdialog', { name: `Drain replica ${home}?` });
  await expect(question).toContainText('The live session here moves out with its next turn');
  await expect(question).toContainText('The turn in flight here finishes.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  expect((await routing(warden)).replicas[home]?.draining).toBe(false);

  await card.getByRole('button', { name: `Drain replica ${home}` }).click();
  await question.getByRole('button', { name: `Drain replica ${home}` }).click();
  await expect.poll(async () => (await rows())[home]?.Replica).toBe(`${home} Draining`);
  // What takes it back is seen without scrolling sideways.
  const box = card.getByRole('group', { name: 'Replicas' });
  await expect.poll(() => box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const moved = await sendTurn(warden.url, { session });
  expect(moved).toMatchObject({ status: 200, decision: 'placed' });
  expect(moved.replica).not.toBe(home);
  for (let turn = 0; turn < 8; turn += 1) {
    expect((await sendTurn(warden.url, { session: randomUUID() })).replica).not.toBe(home);
  }
  // What runs there ends there.
  expect((await routing(warden)).replicas[home]?.in_flight).toBe(1);
  running.leave();

  await card.getByRole('button', { name: `Stop draining replica ${home}` }).click();
  await expect.poll(async () => (await rows())[home]?.Replica).toBe(`${home} Up`);
  await expect(async () => {
    expect((await sendTurn(warden.url, { session: randomUUID() })).replica).toBe(home);
  }).toPass();
});
