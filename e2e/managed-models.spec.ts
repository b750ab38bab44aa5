import { expect, type Page } from 'playwright/test';
import { processStatus } from '#lib/contract/activity.ts';
import { modelConfiguration } from '#lib/contract/managed-models.ts';
import { modelList } from '#lib/contract/models.ts';
import { expectNoAxeViolation, overflow } from './axe.ts';
import type { BuiltWarden } from './built-warden.ts';
import { deadAddress, type Engine, startEngine } from './engine.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test as base } from './warden-test.ts';

const REAL = 'meta-org/Real-Model-70B-Instruct-with-a-rather-long-name';

const test = base.extend<{ real: Engine; locked: Engine }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  real: async ({}, use) => {
    const engine = await startEngine({ servedModelName: REAL, replicas: 2 });
    await use(engine);
    await engine.die();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  locked: async ({}, use) => {
    const engine = await startEngine({ servedModelName: REAL, apiKey: 'the-right-key' });
    await use(engine);
    await engine.die();
  },
});

const modelPage = (warden: BuiltWarden, name: string) => `${warden.url}/models/${encodeURIComponent(name)}`;
const names = async (warden: BuiltWarden) =>
  (await warden.get('/api/models', modelList)).models.map(({ name }) => name).toSorted();

/** Holds the answers to GET of a path back, until what it gives is called: that resolves when the page has one. */
async function holdAnswers(page: Page, path: string): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() === 'GET') await released;
      await route.continue();
    },
  );
  return async () => {
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    release();
    await (await answered).finished();
  };
}

/** The form and its parts, in English. */
function formOf(page: Page, name = 'Add a model') {
  const form = page.getByRole('dialog', { name }).getByRole('form');
  return {
    form,
    address: form.getByLabel('Address of vLLM'),
    key: form.getByLabel('API key'),
    find: form.getByRole('button', { name: 'Find models' }),
    found: form.getByRole('region', { name: 'What answers there' }),
    name: form.getByLabel('Name', { exact: true }),
    aliases: form.getByLabel('Other names'),
    maxNumSeqs: form.getByLabel('max_num_seqs'),
    test: form.getByRole('button', { name: 'Test with one token' }),
    save: form.getByRole('button', { name: 'Save' }),
  };
}

test('a real vLLM is connected beside the simulated fleet, changed, kept over a restart, and removed', async ({
  page,
  warden,
  real,
}) => {
  await page.goto(warden.url);
  await page.getByRole('button', { name: 'Connect your vLLM' }).click();
  const add = formOf(page);
  await add.address.fill(`${real.url}/v1`);
  await add.find.click();
  await expect(add.found).toContainText(REAL);
  await expect(add.found).toContainText('2 ranks');
  await expect(add.found).toContainText('vLLM does not tell max_num_seqs');
  await expect(add.name).toHaveValue(REAL);
  await expect(add.aliases).toHaveValue('claude-*');
  await add.maxNumSeqs.fill('16');
  await expect(add.found).not.toContainText('max_num_seqs');
  await add.test.click();
  await expect(add.found).toContainText(/Answered in \d/);
  await add.save.click();

  await expect(page).toHaveURL(modelPage(warden, REAL));
  await expect(page.getByRole('heading', { level: 1, name: REAL })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Replicas' }).getByRole('row')).toHaveCount(3);
  const answer = await sendTurn(warden.url, { body: { model: 'claude-sonnet-5' } });
  expect(answer.replica).not.toBeNull();
  expect(await names(warden)).toEqual([REAL, MODEL].toSorted());

  const card = page.getByRole('region', { name: 'Configuration' });
  await expect(card).toContainText('in the console');
  // A setting that is changed while the form has the one before is not set back by what else the form changes.
  const answers = await holdAnswers(page, `/api/models/${encodeURIComponent(REAL)}`);
  const cacheFit = page.getByRole('switch', { name: 'Cache-fit' });
  await cacheFit.click();
  await expect(cacheFit).toBeChecked();
  await card.getByRole('button', { name: 'Edit' }).click();
  const edit = formOf(page, `Change ${REAL}`);
  await answers();
  await expect(edit.address).toHaveValue(real.url);
  await expect(edit.name).toHaveAttribute('readonly');
  await edit.aliases.fill('claude-*, gpt-*');
  await edit.save.click();
  await expect(edit.form).toBeHidden();
  await expect(card).toContainText('claude-*, gpt-*');
  expect(await warden.get(`/api/models/${encodeURIComponent(REAL)}`, modelConfiguration)).toMatchObject({
    cache_fit: true,
    aliases: ['claude-*', 'gpt-*'],
  });

  await warden.restart();
  await page.reload();
  await expect(card).toContainText('gpt-*');
  await card.getByRole('button', { name: 'Remove' }).click();
  const confirm = page.getByRole('alertdialog', { name: `Remove ${REAL}?` });
  await expect(confirm).toContainText('Nothing is in flight.');
  await confirm.getByRole('button', { name: 'Remove' }).click();
  await expect(page).toHaveURL(`${warden.url}/`);
  await expect(page.getByRole('article')).toHaveCount(1);
  expect(await names(warden)).toEqual([MODEL]);
});

test('the simulated fleet can be removed, stays away over a restart, and comes back', async ({ page, warden }) => {
  await page.goto(`${modelPage(warden, MODEL)}?remove=true`);
  const confirm = page.getByRole('alertdialog', { name: `Remove ${MODEL}?` });
  await expect(confirm).toContainText('can be brought back later');
  await confirm.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'No model is configured' })).toBeVisible();
  await expect(page.getByRole('banner').getByText('Simulated fleet')).toBeHidden();
  await warden.restart();
  expect(await names(warden)).toEqual([]);
  expect(await warden.get('/api/status', processStatus)).toMatchObject({ simulated: false, simulated_removed: true });

  await page.reload();
  await expect(page.getByRole('button', { name: 'Connect your vLLM' })).toBeVisible();
  await expectNoAxeViolation(page);
  await page.route('**/api/models/simulated', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Bring the simulated fleet back' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The router cannot be reached');
  await page.getByRole('button', { name: 'Bring the simulated fleet back' }).click();
  await expect(page.getByRole('article')).toContainText('4 of 4');
  await expect(page.getByRole('banner').getByText('Simulated fleet')).toBeVisible();
});

test('a wrong key, a dead address and a forbidden one are told before anything is saved', async ({
  page,
  warden,
  locked,
}) => {
  await page.goto(`${warden.url}/?add=true`);
  const { form, address, key, find, found, save, name } = formOf(page);
  await find.click();
  await expect(form).toContainText('Type an address such as http://gpu-box:8000');
  await address.fill(`${locked.url}\n${await deadAddress()}\nhttp://169.254.169.254`);
  await find.click();
  const items = found.getByRole('listitem');
  await expect(items.nth(0)).toContainText('The engine wants an API key.');
  await expect(items.nth(1)).toContainText('connection refused');
  await expect(items.nth(2)).toContainText('link-local or cloud metadata address');

  await address.fill(locked.url);
  await expect(found).toContainText('ask again');
  await key.fill('a-wrong-key');
  await find.click();
  await expect(items.nth(0)).toContainText('The engine refuses this API key.');
  await expect(items.nth(0)).toContainText('It said: {"error":"Unauthorized"}');
  await key.fill('the-right-key');
  await find.click();
  await expect(items.nth(0)).toContainText('4 ranks');
  await name.fill('locked');
  await save.click();
  await expect(page).toHaveURL(modelPage(warden, 'locked'));
  await expect(page.getByRole('region', { name: 'Configuration' })).toContainText('kept, sent to the engine alone');
  expect(await page.content()).not.toContain('the-right-key');
  expect(await warden.get('/api/models/locked', modelConfiguration)).toMatchObject({ has_api_key: true });
  expect(warden.output()).not.toContain('the-right-key');
});

test('what the server refuses stands beside its field, and nothing that was typed is lost', async ({
  page,
  start,
  config,
  engine,
  real,
}) => {
  const file = config(`models:\n  - name: mine\n    aliases: ["claude-*"]\n    replicas: [{ url: "${engine.url}" }]\n`);
  const warden = await start({ WARDEN_CONFIG: file.path });
  await page.goto(warden.url);
  await page.getByRole('button', { name: 'Add a model' }).click();
  const { address, find, aliases, name, save, form } = formOf(page);
  await address.fill(real.url);
  await find.click();
  await expect(aliases).toHaveValue('');
  await name.fill('mine');
  await save.click();
  await expect(form).toContainText('"mine" is already taken by the model mine.');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await name.fill('second');
  await aliases.fill('claude-*');
  await save.click();
  await expect(form).toContainText('"claude-*" is already taken');
  await aliases.fill('');
  await save.click();
  await expect(page).toHaveURL(modelPage(warden, 'second'));

  await page.goto(modelPage(warden, 'mine'));
  const card = page.getByRole('region', { name: 'Configuration' });
  await expect(card).toContainText('in warden.yaml: change it there');
  await expect(card.getByRole('button')).toHaveCount(0);
});

test('the form works in Hindi, with the keyboard alone, on a narrow screen', async ({ page, warden, real }) => {
  await page.addInitScript(() => localStorage.setItem('warden.language', 'hi'));
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(warden.url);
  const open = page.getByRole('button', { name: 'अपना vLLM जोड़ें' });
  await open.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'मॉडल जोड़ें' });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByLabel('vLLM का पता')).toBeFocused();
  await page.keyboard.type(real.url);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('region', { name: 'वहाँ कौन जवाब देता है' })).toContainText('2 rank');
  await expectNoAxeViolation(page);
  expect(await overflow(page)).toBe(0);
  const save = dialog.getByRole('button', { name: 'सेव करें' });
  while (!(await save.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(modelPage(warden, REAL));
  await expect(page.getByRole('region', { name: 'कॉन्फ़िगरेशन' })).toContainText('कंसोल में');
  await expectNoAxeViolation(page);
  expect(await overflow(page)).toBe(0);
});

test('Escape closes the form and gives the focus back', async ({ page, idleWarden: warden }) => {
  await page.goto(warden.url);
  const open = page.getByRole('button', { name: 'Connect your vLLM' });
  await open.click();
  await expect(page).toHaveURL(/\?add=true/);
  await expect(formOf(page).form).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(open).toBeFocused();
  await expect(page).toHaveURL(`${warden.url}/`);
});
