import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { eventList, type SessionEntry, sessionList } from '#lib/contract/activity.ts';
import { expectGoodAtEveryLook, expectNoAxeViolation } from './axe.ts';
import type { BuiltWarden } from './built-warden.ts';
import { expectDownload, expectPicture } from './downloads.ts';
import { deadAddress } from './engine.ts';
import { watchFaults } from './page-faults.ts';
import { tableRows } from './table-rows.ts';
import { MODEL, openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

// Among the last files by name: split, so that no worker is left alone with one.
test.describe.configure({ mode: 'parallel' });

const LONG = { messages: [{ role: 'user', content: 'a word and another '.repeat(400) }] };

async function sessionsOf(warden: BuiltWarden): Promise<SessionEntry[]> {
  return (await warden.get('/api/sessions', sessionList)).sessions;
}

async function onlySession(warden: BuiltWarden): Promise<SessionEntry> {
  const [session] = await sessionsOf(warden);
  if (session === undefined) throw new Error('there is no session');
  return session;
}

const table = (page: Page) => page.getByRole('table', { name: 'Live sessions' });
const panel = (page: Page, key: string) => page.getByRole('dialog', { name: `Session ${key}` });

/** Sessions of two clients; the first has three turns. */
async function twoClients(warden: BuiltWarden): Promise<void> {
  const first = randomUUID();
  const headers = { 'user-agent': 'claude-cli/2.1.332 (external, cli)' };
  const tools = [{ type: 'function', function: { name: 'a', parameters: { type: 'object' } } }];
  for (let turn = 0; turn < 3; turn += 1) {
    await sendTurn(warden.url, { session: first, headers, body: { ...LONG, tools } });
  }
  await sendTurn(warden.url, { session: randomUUID(), headers: { 'user-agent': 'curl/8.14.1' }, body: LONG });
}

test('shows who lives where, as the API has it, and narrows by what is asked, in the address', async ({
  page,
  warden,
}) => {
  await twoClients(warden);
  const faults = watchFaults(page);
  await page.goto(`${warden.url}/sessions`);
  await expect(table(page).getByRole('row')).toHaveCount(3);
  const [known] = (await sessionsOf(warden)).filter(({ client }) => client === 'Claude Code 2.1.332');
  const shown = (await tableRows(table(page))).find((row) => row.Session === known?.key);
  expect(shown).toMatchObject({
    Home: String(known?.home),
    Turns: '3',
    Client: 'Claude Code 2.1.332 x-claude-code-session-id',
    Spills: '0',
  });

  await page.getByRole('combobox', { name: 'Client' }).selectOption('curl');
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/client=curl/);
  await page.getByRole('searchbox').fill('nobody');
  await expect(page.getByText('No session matches')).toBeVisible();
  await expectNoAxeViolation(page);
  await page.reload();
  await expect(page.getByText('No session matches')).toBeVisible();
  await page.getByRole('search').getByRole('button', { name: 'Clear the filters' }).click();
  await expect(table(page).getByRole('row')).toHaveCount(3);
  await expect(page).toHaveURL(/\/sessions$/);

  const header = page.getByRole('columnheader', { name: 'Turns' });
  const turns = async () => (await tableRows(table(page))).map((row) => Number(row.Turns));
  await header.getByRole('button').click();
  await expect(page).toHaveURL(/sort=-turns/);
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(turns).toEqual([3, 1]);
  await header.getByRole('button').click();
  await expect(page).toHaveURL(/sort=turns/);
  await expect.poll(turns).toEqual([1, 3]);
  expect(faults).toEqual([]);
});

test('a session opens from its row, by keyboard alone, and its turns are read one by one', async ({ page, warden }) => {
  const session = randomUUID();
  for (let turn = 0; turn < 3; turn += 1) await sendTurn(warden.url, { session, body: LONG });
  const { key, home } = await onlySession(warden);
  const faults = watchFaults(page);
  await page.goto(`${warden.url}/sessions`);
  const opener = page.getByRole('button', { name: `Open session ${key}` });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`session=${key}`));
  const dialog = panel(page, key);
  const turns = dialog.getByRole('radio');
  await expect(turns).toHaveCount(3);
  await expect(turns.last()).toBeChecked();
  await expect(turns.first()).toHaveAccessibleName(
    new RegExp(`^Turn 1, replica ${home}, placed, [\\d,]+ prompt tokens, `),
  );

  while (!(await turns.last().evaluate((turn) => turn === document.activeElement))) await page.keyboard.press('Tab');
  // As long as a person holds a key: the group of radios looks at it again a moment after it went down.
  await page.keyboard.press('ArrowLeft', { delay: 60 });
  await expect(turns.nth(1)).toBeChecked();
  await page.keyboard.press('ArrowLeft', { delay: 60 });
  await expect(dialog.getByRole('status').filter({ hasText: 'Turn 1' })).toContainText('no home known; replica');
  await turns.nth(2).hover();
  await expect(dialog.getByRole('status').filter({ hasText: 'Turn 3' })).toContainText(`home ${home} has 0 in flight`);
  await expectNoAxeViolation(page);

  await dialog.getByRole('button', { name: 'Show table' }).click();
  const rows = await tableRows(dialog.getByRole('table', { name: 'Turns' }));
  expect(rows.map((row) => row.Decision)).toEqual(['sticky', 'sticky', 'placed']);
  expect(Number(rows[0]?.Cached?.replace(',', ''))).toBeGreaterThan(0);
  await expectNoAxeViolation(page);
  const csv = await expectDownload(
    page,
    dialog.getByRole('button', { name: 'Download CSV' }),
    `warden-session-${key}.csv`,
  );
  const [header = '', ...lines] = csv.toString('utf8').trim().split(/\r?\n/);
  const decision = header.split(',').indexOf('decision');
  expect(lines.map((line) => line.split(',')[decision])).toEqual(['placed', 'sticky', 'sticky']);
  await expectPicture(page, dialog.getByRole('button', { name: 'Download PNG: Turns' }), `warden-session-${key}.png`);

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(page).toHaveURL(/\/sessions$/);
  expect(faults).toEqual([]);
});

test('where the first turns are not there, none is given a number: they are counted from the newest', async ({
  page,
  warden,
}) => {
  const session = randomUUID();
  for (let turn = 0; turn < 4; turn += 1) await sendTurn(warden.url, { session, body: LONG });
  const { key } = await onlySession(warden);
  await page.route(`**/api/sessions/${key}*`, (route) => route.continue({ url: `${route.request().url()}?limit=3` }));
  await page.goto(`${warden.url}/sessions?session=${key}`);
  const dialog = panel(page, key);
  await expect(dialog.getByText('the last 3 turns')).toBeVisible();
  const turns = dialog.getByRole('radio');
  await expect(turns.first()).toHaveAccessibleName(/^2 turns before the newest, replica \d, sticky, /);
  await expect(turns.last()).toHaveAccessibleName(/^Newest turn, /);
  await expect(dialog.getByRole('status').filter({ hasText: 'Newest turn' })).toBeVisible();
  await turns.nth(1).hover();
  await expect(dialog.getByRole('status').filter({ hasText: '1 turn before the newest' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Show table' }).click();
  const rows = await tableRows(dialog.getByRole('table', { name: 'Turns' }));
  expect(rows.map((row) => row.Turn)).toEqual(['the newest', '1 before', '2 before']);
});

test('its home is moved after a question, and the next turn goes there and says why it missed', async ({
  page,
  warden,
}) => {
  const session = randomUUID();
  for (let turn = 0; turn < 2; turn += 1) await sendTurn(warden.url, { session, body: LONG });
  const { key, home } = await onlySession(warden);
  const to = ((home ?? 0) + 2) % 4;
  await page.goto(`${warden.url}/sessions?session=${key}`);
  const dialog = panel(page, key);
  await dialog.getByRole('combobox', { name: 'Move home to' }).selectOption(String(to));
  await dialog.getByRole('button', { name: 'Move home' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(`replica ${to}`);
  await expectNoAxeViolation(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect((await onlySession(warden)).home).toBe(home);

  await dialog.getByRole('button', { name: 'Move home' }).click();
  await question.getByRole('button', { name: 'Move home' }).click();
  await expect(dialog.getByText(`Its home is replica ${to} from the next turn on.`)).toBeVisible();
  await expect(dialog.getByText(`Replica ${to}`, { exact: true })).toBeVisible();
  expect((await sendTurn(warden.url, { session, body: LONG })).replica).toBe(to);
  await expect(dialog.getByRole('radio')).toHaveCount(3);
  await expect(dialog.getByRole('region', { name: 'Why the last turn missed the cache' })).toContainText(
    `its prefix is in the cache of replica ${home}`,
  );
  const { events } = await warden.get('/api/events', eventList);
  expect(events.map(({ kind }) => kind)).toContain('session_moved');
});

test('its home is forgotten after a question; its turns are still there to read', async ({ page, warden }) => {
  const session = randomUUID();
  await sendTurn(warden.url, { session, body: LONG });
  const { key } = await onlySession(warden);
  await page.goto(`${warden.url}/sessions?session=${key}`);
  const dialog = panel(page, key);
  await expect(dialog.getByRole('radio')).toHaveCount(1);
  await dialog.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Forget' }).click();
  await expect(dialog.getByText('It has no home any more')).toBeVisible();
  await expect(dialog.getByRole('radio')).toHaveCount(1);
  await expect(dialog.getByRole('button', { name: 'Move home' })).toHaveCount(0);
  expect(await sessionsOf(warden)).toEqual([]);
  expect((await sendTurn(warden.url, { session, body: LONG })).decision).toBe('placed');
});

test('an address with a session that nobody knows says so', async ({ page, idleWarden: warden }) => {
  await page.goto(`${warden.url}/sessions?session=0123456789ab`);
  const unknown = panel(page, '0123456789ab');
  await expect(unknown).toContainText('not known here');
  // And goes on to say so while it is asked for again.
  await page.route('**/api/sessions/0123456789ab', () => {});
  await page.waitForRequest('**/api/sessions/0123456789ab');
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  expect(await unknown.textContent()).toContain('not known here');
  await page.keyboard.press('Escape');
  await expect(page.getByText('No live sessions')).toBeVisible();
});

test('a turn in flight shows as active', async ({ page, warden }) => {
  const running = await openTurn(warden.url, { session: randomUUID(), tokens: 2000 });
  await page.goto(`${warden.url}/sessions?state=active`);
  await expect(table(page).getByText('1 in flight')).toBeVisible();
  running.leave();
  await expect(page.getByText('No session matches')).toBeVisible();
});

test('the engine down, the router gone: the sessions stay on screen, and it says so', async ({
  page,
  start,
  engine,
}) => {
  const warden = await start({ WARDEN_UPSTREAM: engine.url });
  await sendTurn(warden.url, { session: randomUUID(), body: LONG });
  const { key } = await onlySession(warden);
  await page.goto(`${warden.url}/sessions?session=${key}`);
  await expect(panel(page, key).getByRole('radio')).toHaveCount(1);
  await engine.die();
  await expect(panel(page, key).getByRole('button', { name: 'Move home' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await warden.stop('SIGKILL');
  await expect(page.getByRole('alert').filter({ hasText: 'The router cannot be reached' })).toBeVisible();
  await expect(table(page).getByRole('row')).toHaveCount(2);
});

test('without any engine the list is empty and has the way to connect', async ({ page, start }) => {
  const warden = await start({ WARDEN_UPSTREAM: await deadAddress() });
  await page.goto(`${warden.url}/sessions`);
  await expect(page.getByText('No live sessions')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Connect a client' })).toBeVisible();
});

test('500 sessions come in pages, and searching and sorting them answers at once', async ({ page, warden }) => {
  test.slow();
  const some = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        sendTurn(warden.url, {
          session: randomUUID(),
          headers: { 'user-agent': index % 100 === 0 ? 'curl/8.14.1' : 'pi/1.6.0' },
          body: { max_tokens: 1 },
        }),
      ),
    );
  for (let left = 500; left > 0; left -= 50) await some(50);
  await page.goto(`${warden.url}/sessions`);
  await expect(page.getByRole('region', { name: 'Live sessions' })).toContainText('500');
  await expect(table(page).getByRole('row')).toHaveCount(51);
  await page.getByRole('button', { name: 'Rows after' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(table(page).getByRole('row')).toHaveCount(51);
  await page.getByRole('searchbox').fill('curl');
  await expect(table(page).getByRole('row')).toHaveCount(11);
  await expect(page).not.toHaveURL(/page=/);
});

for (const locale of ['hi-IN', 'en-GB']) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale, reducedMotion: 'reduce' });
    test('the list and the panel fit and break no rule of accessibility', async ({ page, warden }) => {
      await twoClients(warden);
      const faults = watchFaults(page);
      const { key } = await onlySession(warden);
      await page.goto(`${warden.url}/sessions`);
      await expect(page.getByText(key)).toBeVisible();
      await expectGoodAtEveryLook(page);
      await page.getByText(key).click();
      await expect(page.getByRole('dialog').getByRole('radio').first()).toBeVisible();
      await expectGoodAtEveryLook(page);
      if (locale === 'hi-IN') {
        await expect(page.getByRole('dialog').getByText('home', { exact: false }).first()).toBeVisible();
        await expect(page.getByRole('dialog', { name: `सेशन ${key}` })).toBeVisible();
      }
      expect(faults).toEqual([]);
    });
  });
}

test('the model page lists its sessions and opens them too', async ({ page, warden }) => {
  await sendTurn(warden.url, { session: randomUUID(), body: LONG });
  const { key } = await onlySession(warden);
  await page.goto(`${warden.url}/models/${MODEL}`);
  await page.getByRole('button', { name: `Open session ${key}` }).click();
  await expect(panel(page, key).getByRole('radio')).toHaveCount(1);
});
