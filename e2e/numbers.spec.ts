import { expect } from 'playwright/test';
import { requestList } from '#lib/contract/activity.ts';
import { modelList, routingState } from '#lib/contract/models.ts';
import { decisionSeries, errorSeries, latencySeries, replicaSeries, tokenSeries } from '#lib/contract/series.ts';
import { watchAnswers } from './api-answers.ts';
import type { BuiltWarden } from './built-warden.ts';
import { expectPanel, expectShown, figuresOf, type Numbers, type Told } from './expect-numbers.ts';
import { metric } from './metric.ts';
import { standsFor } from './shown-number.ts';
import { tableRows } from './table-rows.ts';
import { MODEL } from './turns.ts';
import { test } from './warden-test.ts';

/*
 * The page is paused under load, and its words are compared with the last answer of each call. What the API tells is
 * compared with what was sent when the load is over.
 */

// Every row of every table is read; on a busy machine that takes its time.
test.setTimeout(150_000);

async function load(warden: BuiltWarden, sessions: number): Promise<void> {
  const answer = await fetch(`${warden.url}/api/demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessions }),
  });
  expect(answer.ok).toBe(true);
}

/** What every panel has to show, from the answers that the page was given. */
function toldOf(answers: ReturnType<typeof watchAnswers>): Told[] {
  const tokens = answers.of('/api/stats/tokens', tokenSeries);
  const latency = answers.of('/api/stats/latency', latencySeries);
  const replicas = answers.of('/api/stats/replicas', replicaSeries);
  const decisions = answers.of('/api/stats/decisions', decisionSeries);
  const errors = answers.of('/api/stats/errors', errorSeries);
  const { totals } = tokens;
  const each = (of: (index: number) => Numbers) => replicas.times.map((_, index) => of(index));
  const perReplica = (column: 'kv_cache_usage_percent' | 'prefix_cache_hit_percent') => ({
    figures: spread(replicas.replicas.map((replica) => replica.totals[column])),
    rows: each((index) =>
      Object.fromEntries(replicas.replicas.map((one) => [`Replica ${one.replica}`, one[column][index] ?? null])),
    ),
  });
  return [
    {
      title: 'Tokens per second',
      figures: {
        'Cache hit': tokens.cache_hit_percent,
        'Prompt tokens': totals.prompt_cached_tokens + totals.prompt_computed_tokens,
        'of them cached': totals.prompt_cached_tokens,
        'Completion tokens': totals.completion_tokens,
        Requests: totals.requests,
      },
      rows: tokens.buckets.map((bucket) => ({
        'Prompt, cached': bucket.prompt_cached_tokens / tokens.bucket_seconds,
        'Prompt, computed': bucket.prompt_computed_tokens / tokens.bucket_seconds,
        Completion: bucket.completion_tokens / tokens.bucket_seconds,
        Requests: bucket.requests,
        Measured: bucket.measured_requests,
      })),
    },
    ...(['ttfb_seconds', 'duration_seconds'] as const).map((kind) => ({
      title: { ttfb_seconds: 'Time to first byte', duration_seconds: 'Request duration' }[kind],
      figures: quantiles(latency.totals[kind], true),
      rows: latency.buckets.map((bucket) => quantiles(bucket[kind], false)),
    })),
    {
      title: 'Requests running and waiting',
      figures: {
        'Running, mean': mean(replicas.requests_running),
        'Waiting, mean': mean(replicas.requests_waiting),
      },
      rows: each((index) => ({
        Running: replicas.requests_running[index] ?? null,
        Waiting: replicas.requests_waiting[index] ?? null,
      })),
    },
    { title: 'KV cache in use', ...perReplica('kv_cache_usage_percent') },
    { title: 'Prefix-cache hits', ...perReplica('prefix_cache_hit_percent') },
    {
      title: 'Decisions',
      figures: { Sticky: decisions.sticky_percent, placed: decisions.totals.placed, sticky: decisions.totals.sticky },
      rows: decisions.buckets.map(({ requests }) => ({ placed: requests.placed, sticky: requests.sticky })),
    },
    {
      title: 'Errors',
      figures: {
        'Refused by the engine': errors.totals.client_error,
        'Engine error': errors.totals.engine_error,
        'Client left': errors.totals.client_left,
      },
      rows: errors.buckets.map((bucket) => ({
        'Refused by the engine': bucket.client_error,
        Requests: bucket.requests,
      })),
    },
  ];
}

type Summary = ReturnType<typeof latencySeries.parse>['totals']['ttfb_seconds'];

function quantiles({ p50, p95, p99, mean: average, count }: Summary, whole: boolean): Numbers {
  const all = { Median: p50, '95th percentile': p95, '99th percentile': p99, Requests: count };
  return whole ? { ...all, Mean: average } : all;
}

function spread(values: readonly (number | null)[]): Numbers {
  const known = values.filter((value) => value !== null);
  return {
    'Mean of the replicas': mean(values),
    'Lowest replica': known.length === 0 ? null : Math.min(...known),
    'Highest replica': known.length === 0 ? null : Math.max(...known),
  };
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

const PANELS = [
  'Tokens per second',
  'Time to first byte',
  'Request duration',
  'Requests running and waiting',
  'Decisions',
  'KV cache in use',
  'Prefix-cache hits',
  'Errors',
];

test('under load, every number on Stats is the one that /api gave the page', async ({ page, warden }) => {
  const answers = watchAnswers(page);
  // One that the engine refuses, so that there is an error to count.
  const refused = { model: MODEL, max_tokens: -1, messages: [{ role: 'user', content: 'hello' }] };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${warden.url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(refused) });
  await load(warden, 6);
  await page.goto(`${warden.url}/stats?range=15m&model=${MODEL}`);
  for (const title of PANELS) {
    const panel = page.getByRole('region', { name: title });
    await expect(() => panel.scrollIntoViewIfNeeded({ timeout: 2000 })).toPass();
    await panel.getByRole('button', { name: /^Show table/ }).click({ timeout: 30_000 });
  }
  await expect(() => {
    expect(answers.of('/api/stats/decisions', decisionSeries).totals.sticky).toBeGreaterThan(5);
  }).toPass({ timeout: 30_000 });
  await page.getByRole('button', { name: /^Pause/ }).click();
  // The last answers may still be on their way to the screen.
  await expect(async () => {
    for (const told of toldOf(answers)) await expectPanel(page, told);
  }).toPass({ timeout: 15_000 });
  const tokens = answers.of('/api/stats/tokens', tokenSeries);
  const share = await page.getByRole('region', { name: 'Tokens per second' }).locator('header strong').textContent();
  expect(standsFor(share ?? '', tokens.cache_hit_percent_1h)).toBe(true);
});

test('under load, the overview and the model page show what /api told them', async ({ page, warden }) => {
  const answers = watchAnswers(page);
  await load(warden, 6);
  await page.goto(warden.url);
  await expect(() => {
    expect(answers.of('/api/models', modelList).models[0]?.ttfb_p50_seconds_15m ?? null).not.toBeNull();
  }).toPass({ timeout: 30_000 });
  await page.getByRole('button', { name: /^Pause/ }).click();
  await expect(async () => {
    const [model] = answers.of('/api/models', modelList).models;
    const shown = await figuresOf(page.getByRole('article'));
    expectShown(
      shown,
      {
        'In flight': model?.in_flight ?? null,
        'Live sessions': model?.live_sessions ?? null,
      },
      'card',
    );
    // Behind the number stands the sentence of its sparkline.
    const [share = ''] = (shown['Hit share, 1 h'] ?? '').split('Hit share');
    expect(standsFor(share, model?.cache_hit_percent_1h ?? null)).toBe(true);
    const [p50 = '', p95 = ''] = (shown['First byte, 15 min'] ?? '').replace(/p50.*$/, '').split('·');
    expect(standsFor(p50, model?.ttfb_p50_seconds_15m ?? null)).toBe(true);
    expect(standsFor(p95, model?.ttfb_p95_seconds_15m ?? null)).toBe(true);
    const [prompt = '', completion = ''] = (shown['Tokens/s, 5 min'] ?? '').split('·');
    expect(standsFor(prompt, model?.prompt_tokens_per_second_5m ?? null)).toBe(true);
    expect(standsFor(completion, model?.completion_tokens_per_second_5m ?? null)).toBe(true);
  }).toPass({ timeout: 15_000 });

  await page.goto(`${warden.url}/models/${MODEL}`);
  const path = `/api/models/${MODEL}/routing`;
  await expect(() => expect(answers.of(path, routingState).totals.sticky).toBeGreaterThan(3)).toPass({
    timeout: 30_000,
  });
  await page.getByRole('button', { name: /^Pause/ }).click();
  await expect(async () => {
    const { replicas } = answers.of(path, routingState);
    const rows = await tableRows(page.getByRole('table', { name: 'Replicas' }));
    expect(rows).toHaveLength(replicas.length);
    for (const [index, replica] of replicas.entries()) {
      const row = rows[index] ?? {};
      const told = {
        Sticky: replica.sticky,
        Placed: replica.placed,
        'Spilled in': replica.spilled_in,
        'Live sessions': replica.live_sessions,
        'Client-pinned': replica.client_pinned,
        Running: replica.requests_running,
        Waiting: replica.requests_waiting,
      };
      expectShown(row, told, `replica ${index}`);
      expect(standsFor((row['In flight'] ?? '').split('/')[0] ?? '', replica.in_flight)).toBe(true);
      expect(standsFor((row['KV used'] ?? '').split(' of ')[0] ?? '', replica.kv_cache_usage_percent)).toBe(true);
    }
  }).toPass();
});

test('when the load is over, the series, the requests and /metrics add up to the same', async ({ warden }) => {
  await load(warden, 6);
  await expect
    .poll(async () => (await warden.get('/api/stats/decisions?window=15m', decisionSeries)).totals.sticky, {
      timeout: 30_000,
    })
    .toBeGreaterThan(10);
  await load(warden, 0);
  await expect.poll(async () => (await routing(warden)).totals.in_flight).toBe(0);
  await expect(async () => {
    const { requests } = await warden.get('/api/requests?limit=1000', requestList);
    const sum = (of: (row: (typeof requests)[number]) => number | null) =>
      requests.reduce((total, row) => total + (of(row) ?? 0), 0);
    const { totals } = await warden.get('/api/stats/tokens?window=15m', tokenSeries);
    expect(totals).toEqual({
      prompt_cached_tokens: sum((row) => row.cached_tokens),
      prompt_computed_tokens: sum((row) => row.prompt_tokens) - sum((row) => row.cached_tokens),
      completion_tokens: sum((row) => row.completion_tokens),
      requests: requests.length,
      measured_requests: requests.filter((row) => row.cached_tokens !== null).length,
    });
    const decisions = await warden.get('/api/stats/decisions?window=1h', decisionSeries);
    for (const kind of ['placed', 'sticky', 'spilled', 'balanced'] as const) {
      const counted = requests.filter(({ decision }) => decision === kind).length;
      expect(decisions.totals[kind]).toBe(counted);
      expect((await metric(warden, 'warden_requests_total', `decision="${kind}"`)) ?? 0).toBe(counted);
    }
    expect(await metric(warden, 'warden_completion_tokens_total', '')).toBe(totals.completion_tokens);
    expect(await metric(warden, 'warden_prompt_tokens_total', 'source="cached"')).toBe(totals.prompt_cached_tokens);
    const latency = await warden.get('/api/stats/latency?window=24h', latencySeries);
    expect(await metric(warden, 'warden_time_to_first_byte_seconds_count', '')).toBe(latency.totals.ttfb_seconds.count);
  }).toPass({ timeout: 15_000 });
});

function routing(warden: BuiltWarden) {
  return warden.get(`/api/models/${MODEL}/routing`, routingState);
}
