import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { openModelPage, patchRouting, routing } from './model-page.ts';
import { openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

test('a number acts on the next request: at 1, a turn beside a running one is spilled', async ({ page, warden }) => {
  const session = randomUUID();
  const home = await sendTurn(warden.url, { session });
  const { label, threshold, number, save, editor, rows } = await openModelPage(page, warden);
  await threshold.click();
  await number.fill('1');
  await save.click();
  await expect(editor).toBeHidden();
  await expect(label('Spill threshold 1 (set)')).toBeVisible();

  const running = await openTurn(warden.url, { session, tokens: 2000 });
  expect(running).toMatchObject({ decision: 'sticky', replica: home.replica });
  const beside = await sendTurn(warden.url, { session });
  expect(beside.decision).toBe('spilled');
  expect(beside.replica).not.toBe(home.replica);
  await expect.poll(async () => (await rows())[home.replica ?? -1]?.['In flight']).toBe('1 / 1 full');
  await expect.poll(async () => (await rows())[beside.replica ?? -1]?.['Spilled in']).toBe('1');

  running.leave();
  await expect.poll(async () => (await routing(warden)).totals.in_flight).toBe(0);
  expect(await sendTurn(warden.url, { session })).toMatchObject({ decision: 'sticky', replica: home.replica });
});

test('says before it is saved which replicas would be over it', async ({ page, warden }) => {
  const { threshold, number, editor } = await openModelPage(page, warden);
  const running = await openTurn(warden.url, { session: randomUUID(), tokens: 2000 });
  await threshold.click();
  await number.fill('1');
  await expect(editor).toContainText(`Would spill now: turns for replica ${running.replica} (1 in flight)`);
  await number.fill('2');
  await expect(editor).toContainText('nothing would spill');
  running.leave();
});

test('back to auto shows what it is derived from, and acts', async ({ page, warden }) => {
  await patchRouting(warden, { spill_threshold: 3 });
  const { label, threshold, auto, editor, save } = await openModelPage(page, warden);
  await expect(label('Spill threshold 3 (set)')).toBeVisible();
  await threshold.click();
  await expect(editor).toContainText('¼ of max_num_seqs 32 = 8');
  await auto.check();
  await save.click();
  await expect(label('Spill threshold 8 (auto)')).toBeVisible();
  expect(await routing(warden)).toMatchObject({ spill_threshold: 8, spill_threshold_source: 'auto', max_num_seqs: 32 });
});

test('refuses what is no whole number from 1, beside the field', async ({ page, warden }) => {
  const { threshold, number, editor, save } = await openModelPage(page, warden);
  let patches = 0;
  page.on('request', (request) => {
    if (request.method() === 'PATCH') patches += 1;
  });
  await threshold.click();
  for (const wrong of ['0', '-1', '1.5', 'many', '']) {
    await number.fill(wrong);
    await expect(editor.getByRole('alert')).not.toBeEmpty();
    await expect(number).toHaveAttribute('aria-invalid', 'true');
    await expect(number).toHaveAccessibleDescription((await editor.getByRole('alert').textContent()) ?? '');
    await expect(save).toBeDisabled();
    await number.press('Enter');
  }
  await number.fill('4');
  await expect(editor.getByRole('alert')).toBeEmpty();
  await save.click();
  await expect(editor).toBeHidden();
  expect(patches).toBe(1);
  expect((await routing(warden)).spill_threshold).toBe(4);
});

test('shows beside the field why the router refused a number', async ({ page, idleWarden: warden }) => {
  const { threshold, number, editor, save } = await openModelPage(page, warden);
  await threshold.click();
  await number.fill('100000000000000000000');
  await save.click();
  await expect(editor.getByRole('alert')).toContainText('spill_threshold');
  await expect(number).toHaveAttribute('aria-invalid', 'true');
  expect((await routing(warden)).spill_threshold).toBe(8);
});

test('works by keyboard alone: Esc cancels, Enter saves, the focus comes back', async ({ page, warden }) => {
  const { threshold, number, editor } = await openModelPage(page, warden);
  await expect(threshold).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(threshold).toBeFocused({ timeout: 1 });
  }).toPass({ intervals: [0] });

  await page.keyboard.press('Enter');
  await expect(number).toBeFocused();
  await page.keyboard.type('5');
  await page.keyboard.press('Escape');
  await expect(editor).toBeHidden();
  await expect(threshold).toBeFocused();
  expect((await routing(warden)).spill_threshold).toBe(8);

  await page.keyboard.press('Enter');
  await expect(number).toBeFocused();
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect(editor).toBeHidden();
  await expect(threshold).toBeFocused();
  await expect(threshold).toHaveAccessibleName(/^Spill threshold 5 \(set\)/);
  expect(await routing(warden)).toMatchObject({ spill_threshold: 5, spill_threshold_source: 'setting' });
});

test('survives a restart of the process', async ({ page, warden }) => {
  await patchRouting(warden, { spill_threshold: 6 });
  await warden.restart();
  const { label } = await openModelPage(page, warden);
  await expect(label('Spill threshold 6 (set)')).toBeVisible();
});
