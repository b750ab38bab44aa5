import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { madeKey } from '#lib/contract/access.ts';
import { connectFacts } from '#lib/contract/connect.ts';
import { modelList } from '#lib/contract/models.ts';
import { expectGoodAtEveryLook, expectNoAxeViolation } from './axe.ts';
import { deadAddress, startEngine } from './engine.ts';
import { watchFaults } from './page-faults.ts';
import { MODEL, openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

const light = (page: Page) => page.getByRole('region', { name: 'First request' });
const trial = (page: Page) => page.getByRole('region', { name: 'Test turn' });

test('the blocks name this router and the model, for each client, and the address keeps which', async ({
  page,
  idleWarden: warden,
}) => {
  const faults = watchFaults(page);
  await page.goto(`${warden.url}/connect`);
  const blocks = page.getByRole('tabpanel');
  await expect(blocks).toContainText(`export ANTHROPIC_BASE_URL=${warden.url}`);
  await expect(blocks).toContainText(`"ANTHROPIC_MODEL": "${MODEL}"`);
  for (const [client, words] of [
    ['Codex', `base_url = "${warden.url}/v1"`],
    ['opencode', `"model": "warden/${MODEL}"`],
    ['OpenAI SDK', `new OpenAI({ baseURL: '${warden.url}/v1'`],
    ['Anthropic SDK', `new Anthropic({ baseURL: '${warden.url}'`],
    ['curl', `curl -i ${warden.url}/v1/chat/completions`],
  ] as const) {
    await page.getByRole('tab', { name: client }).click();
    await expect(blocks).toContainText(words);
  }
  await expect(page).toHaveURL(/client=curl/);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'curl' })).toHaveAttribute('aria-selected', 'true');
  await expectNoAxeViolation(page);
  expect(faults).toEqual([]);
});

test('what the curl block says is what works', async ({ page, warden }) => {
  await page.goto(`${warden.url}/connect?client=curl`);
  const block = page.getByRole('tabpanel').locator('code');
  await expect(block).toContainText(MODEL);
  const code = (await block.textContent()) ?? '';
  const body = /-d '(.*)'$/s.exec(code)?.[1] ?? '';
  const url = /curl -i (\S+)/.exec(code)?.[1] ?? '';
  const send = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': 'my-first-conversation' },
      body,
    });
  const first = await send();
  expect(first.status).toBe(200);
  const second = await send();
  expect(second.headers.get('x-warden-decision')).toBe('sticky');
  expect(second.headers.get('x-warden-replica')).toBe(first.headers.get('x-warden-replica'));
});

test('a test turn shows which replica answered and why, and the next one stays', async ({ page, warden }) => {
  const faults = watchFaults(page);
  await page.goto(`${warden.url}/connect`);
  await trial(page).getByRole('button', { name: 'Send a test turn' }).click();
  const turns = trial(page).getByRole('listitem');
  await expect(turns).toContainText(['placed']);
  await expect(turns.first()).toContainText('no home known; replica');
  await trial(page).getByRole('button', { name: 'Send the next turn' }).click();
  await expect(turns.nth(1)).toContainText('sticky');
  await expect(turns.nth(1)).toContainText('in flight, threshold');
  const replica = /replica (\d)/.exec((await turns.first().textContent()) ?? '')?.[1];
  await expect(turns.nth(1)).toContainText(`Turn 2: replica ${replica}`);
  await expectNoAxeViolation(page);
  // Its own turns are no client's.
  await expect(light(page)).toContainText('Waiting for the first request');
  expect(faults).toEqual([]);
});

test('the light goes on with the first request of a client, not with those before it', async ({ page, warden }) => {
  await sendTurn(warden.url, { session: randomUUID(), headers: { 'user-agent': 'pi/1.6.0' } });
  // Finished requests are written down a moment later: the page's first list has none, the second has that one.
  await page.route('**/api/requests?*', (route) => route.fulfill({ json: { requests: [], next: null } }), { times: 1 });
  await page.goto(`${warden.url}/connect`);
  await expect(light(page)).toContainText(`Waiting for the first request of a client to ${MODEL}`);
  const second = await page.waitForResponse(
    async (response) => response.url().includes('/api/requests') && (await response.text()).includes('pi 1.6.0'),
  );
  await second.finished();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await expect(light(page)).toContainText('Waiting for the first request');
  const client = { session: randomUUID(), headers: { 'user-agent': 'claude-cli/2.1.332 (external, cli)' } };
  const running = await openTurn(warden.url, {
    ...client,
    tokens: 3000,
    body: { tools: [{ type: 'function', function: { name: 'a', parameters: { type: 'object' } } }] },
  });
  await expect(light(page).getByRole('status')).toHaveText('Connected: Claude Code 2.1.332 has sent a request');
  await expect(light(page)).toContainText(`replica ${running.replica}`);
  running.leave();
  await expectNoAxeViolation(page);
  await light(page).getByRole('link', { name: 'Open its session' }).click();
  await expect(page.getByRole('dialog', { name: /^Session / })).toBeVisible();
});

test('what came while another page was open does not turn the light on', async ({ page, warden }) => {
  await page.goto(`${warden.url}/models/${MODEL}`);
  await expect(page.getByRole('region', { name: 'In flight' })).toBeVisible();
  await page.getByRole('link', { name: 'Sessions', exact: true }).first().click();
  await sendTurn(warden.url, { session: randomUUID(), headers: { 'user-agent': 'pi/1.6.0' } });
  await expect(page.getByRole('main')).toContainText('pi 1.6.0');
  const listed = page.waitForResponse((response) => response.url().includes('/api/requests?'));
  await page.getByRole('link', { name: 'Connect', exact: true }).first().click();
  expect(await (await listed).text()).toContain('pi 1.6.0');
  await page.waitForResponse((response) => response.url().includes('/in-flight'));
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await expect(light(page)).toContainText('Waiting for the first request');
});

test('a client whose version spoils its prefix is warned of where nothing pins it', async ({
  page,
  start,
  engine,
  config,
}) => {
  const file = config(
    `models:\n  - name: ${MODEL}\n    pin_billing_line: false\n    replicas:\n      - url: ${engine.url}\n`,
  );
  const warden = await start({ WARDEN_CONFIG: file.path });
  const tools = [{ type: 'function', function: { name: 'a', parameters: { type: 'object' } } }];
  const headers = { 'user-agent': 'claude-cli/2.1.160 (external, cli)' };
  await sendTurn(warden.url, { session: randomUUID(), headers, body: { tools } });
  await page.goto(`${warden.url}/connect`);
  const warning = page.getByRole('status').filter({ hasText: 'spoils its own prefix cache' });
  await expect(warning).toContainText('Claude Code 2.1.160');
  await expect(warning).toContainText('CLAUDE_CODE_ATTRIBUTION_HEADER=0');
  await page.getByRole('tab', { name: 'Codex' }).click();
  await expect(warning).toBeHidden();
  file.write(`models:\n  - name: ${MODEL}\n    pin_billing_line: true\n    replicas:\n      - url: ${engine.url}\n`);
  await page.getByRole('tab', { name: 'Claude Code' }).click();
  await expect(warning).toBeHidden();
});

test('a context that is small for a client, and an engine that tells no cached tokens, are told with what to do', async ({
  page,
  start,
}) => {
  const engine = await startEngine({ preset: 'a4000x4', promptTokensDetails: false });
  const warden = await start({ WARDEN_UPSTREAM: engine.url });
  const [model] = (await warden.get('/api/models', modelList)).models;
  const name = model?.name ?? '';
  const facts = await warden.get(`/api/models/${encodeURIComponent(name)}/connect`, connectFacts);
  expect(facts.max_model_len).toBe(32_768);
  for (let turn = 0; turn < 30; turn += 1) {
    await sendTurn(warden.url, { session: 'one-conversation', body: { model: name, max_tokens: 1 } });
  }
  await page.goto(`${warden.url}/connect`);
  const small = page.getByRole('status').filter({ hasText: '32,768 tokens in all, which is little for Claude Code' });
  await expect(small).toContainText('--max-model-len');
  await expect(page.getByRole('tabpanel')).toContainText('export CLAUDE_CODE_MAX_CONTEXT_TOKENS=32768');
  await expect(page.getByRole('tabpanel')).toContainText('export CLAUDE_CODE_MAX_OUTPUT_TOKENS=8000');
  const unmeasured = page.getByRole('status').filter({ hasText: 'does not say what it had cached' });
  await expect(unmeasured).toContainText('--enable-prompt-tokens-details');
  await expectNoAxeViolation(page);
  await page.getByRole('tab', { name: 'curl' }).click();
  await expect(small).toBeHidden();
  await expect(unmeasured).toBeVisible();
  await engine.die();
});

test('without an engine the blocks are there and nothing can be sent', async ({ page, start }) => {
  const warden = await start({ WARDEN_UPSTREAM: await deadAddress() });
  await page.goto(`${warden.url}/connect`);
  await expect(page.getByRole('tabpanel')).toContainText(warden.url);
  await expect(trial(page).getByRole('button', { name: 'Send a test turn' })).toBeDisabled();
});

test('a turn that is not served is told with the reason', async ({ page, start, engine }) => {
  const warden = await start({ WARDEN_UPSTREAM: engine.url });
  await page.goto(`${warden.url}/connect`);
  await expect(trial(page).getByRole('button', { name: 'Send a test turn' })).toBeEnabled();
  await warden.stop('SIGKILL');
  await trial(page).getByRole('button', { name: 'Send a test turn' }).click();
  await expect(trial(page).getByRole('alert')).toContainText('The turn was not served');
});

for (const locale of ['hi-IN', 'en-GB']) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale, reducedMotion: 'reduce' });
    test('fits and breaks no rule of accessibility', async ({ page, idleWarden }) => {
      const faults = watchFaults(page);
      await page.goto(`${idleWarden.url}/connect`);
      await expect(page.getByRole('tabpanel')).toContainText('CLAUDE_CODE_MAX_CONTEXT_TOKENS');
      await expectGoodAtEveryLook(page);
      expect(faults).toEqual([]);
    });
  });
}

test('once there are keys, the blocks have a place for one, and the test turn takes one', async ({ page, warden }) => {
  const made = await fetch(`${warden.url}/api/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'of this test' }),
  });
  const { secret } = madeKey.parse(await made.json());
  await page.goto(`${warden.url}/connect`);
  await expect(page.getByRole('status').filter({ hasText: 'A key is needed' })).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText('export ANTHROPIC_AUTH_TOKEN=YOUR-LM-WARDEN-KEY');
  expect(await page.content()).not.toContain(secret);
  const send = trial(page).getByRole('button', { name: 'Send a test turn' });
  await send.click();
  await expect(trial(page).getByRole('alert')).toContainText('401');
  await trial(page).getByLabel('API key for the test turn').fill(secret);
  await send.click();
  await expect(trial(page).getByRole('listitem')).toContainText(['placed']);
  await expectNoAxeViolation(page);
});
