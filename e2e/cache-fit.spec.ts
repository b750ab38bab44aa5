import { expect } from 'playwright/test';
import type { BuiltWarden } from './built-warden.ts';
import { type Engine, SMALL_CACHE, startEngine } from './engine.ts';
import { heldTurns, largeTurn } from './large-turns.ts';
import { openModelPage, patchRouting, routing } from './model-page.ts';
import type { OpenTurn } from './turns.ts';
import { test } from './warden-test.ts';

async function fill(warden: BuiltWarden): Promise<OpenTurn[]> {
  return [await largeTurn(warden), await largeTurn(warden), await largeTurn(warden)];
}

test.describe('with a small cache', () => {
  let engine: Engine;
  let warden: BuiltWarden;
  test.beforeEach(async ({ start }) => {
    engine = await startEngine({ replicas: 1, preset: SMALL_CACHE });
    warden = await start({ WARDEN_UPSTREAM: engine.url });
  });
  test.afterEach(() => engine.die());

  test('the switch acts on the next turn, which waits in sight, and off lets it go', async ({ page }) => {
    const turns = await fill(warden);
    const { card, label, cacheFit, room } = await openModelPage(page, warden);
    await expect(cacheFit).not.toBeChecked();
    await expect(room).toContainText('Cache-fit is off.');
    await cacheFit.click();
    await expect(label('Cache-fit on')).toBeVisible();
    await expect(room).toContainText('Nobody waits at this router.');

    const fourth = largeTurn(warden);
    await expect(label(/^1 turn held, longest/)).toBeVisible();
    await expect(room).toContainText('1 turn waits in line for room');
    await expect(room.getByRole('link', { name: 'See who waits' })).toHaveAttribute('href', /state=held/);

    await cacheFit.click();
    const question = page.getByRole('alertdialog', { name: 'Turn cache-fit off?' });
    await expect(question).toContainText('The turn that waits goes to the engine at once');
    expect(await heldTurns(warden)).toBe(1);
    await question.getByRole('button', { name: 'Turn cache-fit off' }).click();
    await expect(label('Cache-fit off')).toBeVisible();
    await expect(label('In flight 4')).toBeVisible();
    expect((await routing(warden)).cache_fit).toBe(false);
    for (const turn of turns) turn.leave();
    (await fourth).leave();
    await expect(card.getByRole('alert')).toBeHidden();
  });

  test('the meter and the rule of thumb say what the API says, and what would make it fit', async ({ page }) => {
    const turns = [...(await fill(warden)), await largeTurn(warden)];
    const { room } = await openModelPage(page, warden);
    const meter = room.getByRole('list', { name: 'Working set of each replica' }).getByRole('listitem');
    const { rule, replicas } = (await routing(warden)).admission;
    expect(replicas).toMatchObject([{ capacity_tokens: 5008, alive_conversations: 4 }]);
    expect(rule).toMatchObject({ live_conversations: 4, fitting_conversations: 3, fits: false });
    await expect(meter).toHaveCount(1);
    await expect(meter).toContainText('of 5.01k tokens');
    await expect(meter).toContainText(/4 conversations, [\d.]+k in all: [\d.]+k? too many/);
    await expect(room).toContainText('4 live × ');
    await expect(room).toContainText('about 3 of this size fit at once');
    await expect(room.getByRole('listitem').filter({ hasText: 'Run 3 sessions at once instead of 4.' })).toBeVisible();
    await expect(room.getByRole('listitem').filter({ hasText: 'Add 1 replica like these.' })).toBeVisible();
    await expect(room.getByRole('listitem').filter({ hasText: 'turn cache-fit on' })).toBeVisible();
    for (const turn of turns) turn.leave();
  });
});

test('says why there is nothing to fit while affinity is off', async ({ page, warden }) => {
  const { room } = await openModelPage(page, warden);
  await expect(room).toContainText('Nobody waits at this router.');
  await patchRouting(warden, { affinity: false });
  await expect(room).toContainText('Affinity is off, so no conversation has a replica whose cache it could fit.');
  await expect(room.getByRole('list', { name: 'Working set of each replica' })).toBeHidden();
});

test('the time until others give way is set as a number or on the slider, or left to the router', async ({
  page,
  warden,
}) => {
  const { room } = await openModelPage(page, warden);
  const opener = room.getByRole('button', { name: /^Others give way after/ });
  const editor = room.getByRole('form', { name: 'Time until others give way' });
  const seconds = editor.getByRole('textbox', { name: 'Seconds' });
  const setting = async () => (await routing(warden)).admission.yield_after_setting;

  await opener.click();
  await expect(editor.getByRole('radio', { name: /^Auto/ })).toBeChecked();
  await seconds.fill('0');
  await expect(editor.getByRole('alert')).toContainText('From 1 to 3600 seconds');
  await expect(editor.getByRole('button', { name: 'Save' })).toBeDisabled();
  await seconds.fill('40');
  await seconds.press('Enter');
  await expect(opener).toHaveText(/after 40\.0 s \(set\)/);
  expect(await setting()).toBe(40);

  await opener.click();
  await editor.getByRole('slider', { name: 'Seconds until others give way' }).press('ArrowRight');
  await expect(seconds).toHaveValue('45');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(opener).toHaveText(/after 45\.0 s \(set\)/);

  await warden.restart();
  await page.reload();
  await expect(opener).toHaveText(/after 45\.0 s \(set\)/);
  await opener.click();
  await editor.getByRole('radio', { name: /^Auto/ }).check();
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(opener).toHaveText(/\(auto\)/);
  expect(await setting()).toBe('auto');
});
