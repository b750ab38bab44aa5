import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { type TokenSeries, tokenSeries } from '#lib/contract/series.ts';
import { type BuiltWarden, startBuiltWarden } from './built-warden.ts';
import { type Spent, spentTokens } from './spent-tokens.ts';
import { tableRows } from './table-rows.ts';
import { MODEL, sendTurn, type Turn } from './turns.ts';
import { test } from './warden-test.ts';

type Sums = Pick<Spent, 'cached' | 'computed' | 'completion'> & {
  readonly requests: number;
  readonly measured: number;
};

const LONG = 'the history of a conversation '.repeat(200);

/** Requests of every kind, with what the engine said of each: six that it measured, one that it did not. */
async function sendKnownRequests({ url }: BuiltWarden): Promise<Sums> {
  const session = randomUUID();
  const messages = [{ role: 'user', content: LONG }];
  const turns: Turn[] = [
    { body: { messages, max_tokens: 9 } },
    { body: { messages, max_tokens: 7 } },
    { body: { messages, max_tokens: 8, stream: true, stream_options: { include_usage: true } } },
    { path: '/v1/messages', headers: { 'anthropic-version': '2023-06-01' }, body: { messages, max_tokens: 6 } },
    { path: '/v1/responses', body: { input: LONG, max_output_tokens: 5 } },
    // Not measured: its usage says nothing of the cache.
    {
      path: '/v1/embeddings',
      body: { input: 'twelve words that nobody has cached, since no replica works on embeddings' },
    },
  ];
  const spent: Spent[] = [];
  for (const turn of turns) {
    const answer = await sendTurn(url, { session, ...turn });
    expect(answer.status).toBe(200);
    spent.push(spentTokens(answer.body));
  }
  spent.push(await sendWithoutAskingForUsage(url, session, spent[2]));
  const sum = (of: (one: Spent) => number) => spent.reduce((total, one) => total + of(one), 0);
  return {
    cached: sum((one) => one.cached),
    computed: sum((one) => one.computed),
    completion: sum((one) => one.completion),
    requests: spent.length,
    measured: spent.filter((one) => one.measured).length,
  };
}

/** A stream whose client asks for no usage is told of none, and is counted like the same turn that asked. */
async function sendWithoutAskingForUsage(url: string, session: string, asked: Spent | undefined): Promise<Spent> {
  const body = { messages: [{ role: 'user', content: LONG }], max_tokens: 4, stream: true };
  const answer = await sendTurn(url, { session, body });
  expect(answer.body).not.toContain('"usage":{');
  return { cached: asked?.cached ?? 0, computed: asked?.computed ?? 0, completion: 4, measured: true };
}

function sumsOf({ buckets }: TokenSeries): Sums {
  const sum = (of: (bucket: TokenSeries['buckets'][number]) => number) =>
    buckets.reduce((total, bucket) => total + of(bucket), 0);
  return {
    cached: sum((bucket) => bucket.prompt_cached_tokens),
    computed: sum((bucket) => bucket.prompt_computed_tokens),
    completion: sum((bucket) => bucket.completion_tokens),
    requests: sum((bucket) => bucket.requests),
    measured: sum((bucket) => bucket.measured_requests),
  };
}

const stats = (warden: BuiltWarden, window: string) => warden.get(`/api/stats/tokens?window=${window}`, tokenSeries);

/** A rate as the console writes it: "1.24k" is 1240. */
function rate(text: string | undefined): number {
  const factor = { k: 1e3, M: 1e6 }[text?.at(-1) ?? ''] ?? 1;
  return Number.parseFloat(text ?? '') * factor;
}

async function openTokenTable(page: Page) {
  const panel = page.getByRole('region', { name: 'Tokens per second' });
  await panel.getByRole('button', { name: /^Show table/ }).click();
  return { panel, table: panel.getByRole('table', { name: /^Tokens per second/ }) };
}

test.describe('with requests of every kind', () => {
  let warden: BuiltWarden;
  let sent: Sums;
  test.beforeAll(async () => {
    warden = await startBuiltWarden();
    sent = await sendKnownRequests(warden);
  });
  test.afterAll(() => warden.dispose());

  for (const { window, bucketSeconds, name } of [
    { window: '15m', bucketSeconds: 15, name: 'The last 15 minutes' },
    { window: '1h', bucketSeconds: 60, name: 'The last hour' },
  ]) {
    test(`over ${window} the chart's numbers and /api are the sums of what was sent`, async ({ page }) => {
      expect(sent).toMatchObject({ requests: 7, measured: 6 });
      expect(sent.cached).toBeGreaterThan(1000);
      await expect.poll(async () => sumsOf(await stats(warden, window))).toEqual(sent);

      await page.goto(`${warden.url}/stats`);
      await page.getByRole('radio', { name }).click();
      const { table } = await openTokenTable(page);
      await expect
        .poll(async () => {
          const rows = await tableRows(table);
          const column = (header: string) => rows.reduce((total, row) => total + rate(row[header]), 0);
          return {
            requests: column('Requests'),
            measured: column('Measured'),
            // Rates are shown in three digits: right within half a percent.
            cached: Math.round((100 * column('Prompt, cached') * bucketSeconds) / sent.cached),
            computed: Math.round((100 * column('Prompt, computed') * bucketSeconds) / sent.computed),
            completion: Math.round((100 * column('Completion') * bucketSeconds) / sent.completion),
          };
        })
        .toEqual({ requests: sent.requests, measured: sent.measured, cached: 100, computed: 100, completion: 100 });
    });
  }

  test('says what share of the prompts was cached, and how many of the requests were measured', async ({ page }) => {
    await page.goto(`${warden.url}/stats`);
    const panel = page.getByRole('region', { name: 'Tokens per second' });
    await expect.poll(async () => sumsOf(await stats(warden, '1h'))).toEqual(sent);
    const { cache_hit_percent_1h } = await stats(warden, '1h');
    await expect(panel).toContainText(`cache hit ${cache_hit_percent_1h?.toFixed(0)}% — last hour`);
    await expect(panel).toContainText('86% of the requests of this window were measured');
  });

  test('the file of the numbers holds them exactly', async ({ page }) => {
    await expect.poll(async () => sumsOf(await stats(warden, '1h'))).toEqual(sent);
    await page.goto(`${warden.url}/stats`);
    const { panel, table } = await openTokenTable(page);
    await expect.poll(async () => (await tableRows(table)).some((row) => row.Requests !== '0')).toBe(true);
    const downloading = page.waitForEvent('download');
    await panel.getByRole('button', { name: 'Download CSV' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const [header = '', ...lines] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    const columns = header.split(',');
    const total = (name: string) =>
      lines.reduce((sum, line) => sum + Number(line.split(',')[columns.indexOf(name)] ?? Number.NaN), 0);
    expect(total('prompt_cached_tokens_per_second') * 60).toBeCloseTo(sent.cached, 3);
    expect(total('prompt_computed_tokens_per_second') * 60).toBeCloseTo(sent.computed, 3);
    expect(total('completion_tokens_per_second') * 60).toBeCloseTo(sent.completion, 3);
    expect(total('requests')).toBe(sent.requests);
    expect(total('measured_requests')).toBe(sent.measured);
  });
});

test('nothing sent, nothing claimed: the hit share is not reported, and no bar stands', async ({
  page,
  idleWarden: warden,
}) => {
  await page.goto(`${warden.url}/stats`);
  const panel = page.getByRole('region', { name: 'Tokens per second' });
  await expect(panel.getByText(/cache hit/)).toContainText('not reported');
  await expect(panel).not.toContainText('NaN');
});

test('the range and the model are in the address and survive a reload', async ({ page, idleWarden: warden }) => {
  await page.goto(`${warden.url}/stats`);
  await expect(page.getByRole('radio', { name: 'The last hour' })).toBeChecked();
  await page.getByRole('radio', { name: 'The last 7 days' }).click();
  await page.getByRole('combobox', { name: 'Model' }).selectOption(MODEL);
  await expect(page).toHaveURL(/[?&]range=7d/);
  await expect(page).toHaveURL(new RegExp(`[?&]model=${MODEL}`));
  const asked = page.waitForRequest(/\/api\/stats\/tokens\?/);
  await page.reload();
  expect(new URL((await asked).url()).searchParams.get('window')).toBe('7d');
  await expect(page.getByRole('radio', { name: 'The last 7 days' })).toBeChecked();
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue(MODEL);
});
