import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import { openModelPage, routing } from './model-page.ts';
import { sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

test('without live sessions it turns affinity off at once, for the very next request', async ({ page, warden }) => {
  const { label, affinity } = await openModelPage(page, warden);
  await affinity.click();
  await expect(affinity).not.toBeChecked();
  await expect(label('Affinity off')).toBeVisible();
  expect((await routing(warden)).affinity).toBe(false);
  expect(await sendTurn(warden.url, { session: randomUUID() })).toMatchObject({
    status: 200,
    decision: 'unrouted',
    replica: null,
  });
});

test('with live sessions it asks first, and changes nothing before the answer', async ({ page, warden }) => {
  const [session, other] = [randomUUID(), randomUUID()];
  const home = await sendTurn(warden.url, { session });
  await sendTurn(warden.url, { session: other });
  const { label, affinity } = await openModelPage(page, warden);

  await affinity.click();
  const question = page.getByRole('alertdialog', { name: 'Turn affinity off?' });
  await expect(question).toContainText('2 live sessions');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(affinity).toBeChecked();
  expect(await sendTurn(warden.url, { session })).toMatchObject({ decision: 'sticky', replica: home.replica });

  await affinity.click();
  await question.getByRole('button', { name: 'Turn affinity off' }).click();
  await expect(affinity).not.toBeChecked();
  await expect(label('Affinity off')).toBeVisible();
  expect(await sendTurn(warden.url, { session })).toMatchObject({ decision: 'unrouted', replica: null });
});

test('turned on again, the next turns go home', async ({ page, warden }) => {
  const session = randomUUID();
  const home = await sendTurn(warden.url, { session });
  const { label, affinity } = await openModelPage(page, warden);
  await affinity.click();
  await page.getByRole('button', { name: 'Turn affinity off' }).click();
  await expect(label('Affinity off')).toBeVisible();
  await affinity.click();
  await expect(affinity).toBeChecked();
  await expect(label('Affinity on')).toBeVisible();
  expect(await sendTurn(warden.url, { session })).toMatchObject({ decision: 'sticky', replica: home.replica });
});

test('the choice survives a restart of the router, and so do the homes', async ({ page, start, engine }) => {
  const warden = await start({ WARDEN_UPSTREAM: engine.url });
  const session = randomUUID();
  const home = await sendTurn(warden.url, { session });
  expect(home.decision).toBe('placed');
  const { label, affinity } = await openModelPage(page, warden);
  // The switch shows the wish at once, the label what is in force.
  await affinity.click();
  await page.getByRole('button', { name: 'Turn affinity off' }).click();
  await expect(label('Affinity off')).toBeVisible();

  await warden.restart();
  expect(await sendTurn(warden.url, { session })).toMatchObject({ decision: 'unrouted', replica: null });
  await page.reload();
  await expect(label('Affinity off')).toBeVisible();
  await affinity.click();
  await expect(affinity).toBeChecked();
  await expect(label('Affinity on')).toBeVisible();
  expect(await sendTurn(warden.url, { session })).toMatchObject({ decision: 'sticky', replica: home.replica });
});

test('a change that does not arrive rolls the switch back and says so', async ({ page, warden }) => {
  const { card, label, affinity } = await openModelPage(page, warden);
  await page.route('**/routing', (route) =>
    route.request().method() === 'PATCH' ? route.abort('connectionfailed') : route.continue(),
  );
  await affinity.click();
  await expect(card.getByRole('alert')).toContainText('Not changed');
  await expect(affinity).toBeChecked();
  await expect(label('Affinity on')).toBeVisible();
  expect((await routing(warden)).affinity).toBe(true);

  await page.unroute('**/routing');
  await affinity.click();
  await expect(affinity).not.toBeChecked();
  await expect(card.getByRole('alert')).toBeHidden();
});

test('a change that the router refuses rolls the switch back with the reason', async ({ page, idleWarden: warden }) => {
  const { card, affinity } = await openModelPage(page, warden);
  const reason = 'The setting was not changed, because it could not be saved: the disk is full';
  await page.route('**/routing', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify({ type: 'about:blank', title: 'Not saved', status: 503, detail: reason }),
        })
      : route.continue(),
  );
  await affinity.click();
  await expect(card.getByRole('alert')).toContainText(reason);
  await expect(affinity).toBeChecked();
  expect((await routing(warden)).affinity).toBe(true);
});
