import { expect, type Locator, type Page } from 'playwright/test';
import { keyList, madeKey } from '#lib/contract/access.ts';
import { inFlightList, requestList, sessionList } from '#lib/contract/activity.ts';
import { connectFacts } from '#lib/contract/connect.ts';
import { modelList, routingState } from '#lib/contract/models.ts';
import { admissionSeries } from '#lib/contract/series.ts';
import { databaseState, settingsState } from '#lib/contract/settings.ts';
import { watchAnswers } from './api-answers.ts';
import type { BuiltWarden } from './built-warden.ts';
import { type Engine, SMALL_CACHE, startEngine } from './engine.ts';
import { expectPanel, expectShown, figuresOf } from './expect-numbers.ts';
import { crowd } from './large-turns.ts';
import { metric } from './metric.ts';
import { patchRouting, routing } from './model-page.ts';
import { standsFor } from './shown-number.ts';
import { tableRows } from './table-rows.ts';
import { MODEL, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

/*
 * Two small caches, more conversations than they hold: turns are under way, turns are held, some have ended. Each page is
 * opened paused, so that what is on it is what its one answer of each call said.
 */

test.setTimeout(150_000);

let engine: Engine;
let warden: BuiltWarden;
test.beforeEach(async ({ start }) => {
  // Slow, so that no turn ends while the pages are looked at.
  engine = await startEngine({ replicas: 2, preset: SMALL_CACHE, speed: 0.4 });
  warden = await start({ WARDEN_UPSTREAM: engine.url });
});
test.afterEach(() => engine.die());

type Answers = ReturnType<typeof watchAnswers>;

/** The first group of a pattern in a text, which must be there. */
function part(text: string | undefined, pattern: RegExp): string {
  const found = pattern.exec(text ?? '')?.[1];
  if (found === undefined) throw new Error(`"${text}" has no ${pattern}`);
  return found;
}

function expectStands(text: string, value: number | null, where: string): void {
  expect(standsFor(text, value), `${where}: the page says ${text}, the API ${value}`).toBe(true);
}

async function expectOverview(page: Page, answers: Answers): Promise<void> {
  const card = page.getByRole('article');
  const [model] = answers.of('/api/models', modelList).models;
  if (model === undefined) throw new Error('there is no model');
  const shown = await figuresOf(card);
  expectShown(shown, { 'In flight': model.in_flight, 'Live sessions': model.live_sessions }, 'card');
  expect(shown['Replicas up']).toBe(`${model.replicas_up} of ${model.replica_count}`);
  const strip = await card.getByRole('list', { name: 'Replicas' }).getByRole('listitem').allInnerTexts();
  expect(strip).toHaveLength(model.replicas.length);
  for (const [index, replica] of model.replicas.entries()) {
    const text = strip[index]?.replace(/\s+/g, ' ');
    expect(part(text, /^Replica (\d+)/)).toBe(String(replica.replica));
    expectStands(part(text, /(\d+) in flight/), replica.in_flight, 'strip, in flight');
    expectStands(part(text, /KV (.*)$/), replica.kv_cache_usage_percent, 'strip, KV');
  }
  const { live_conversations, typical_context_tokens: context, shared_tokens, total_cache_tokens } = model.fit;
  const rule = (await card.getByText(/^\d+ conversations × /).textContent()) ?? '';
  expectStands(part(rule, /^(\d+) conversations/), live_conversations, 'rule, conversations');
  expectStands(part(rule, /× (\S+) tokens/), context, 'rule, context');
  const needed = live_conversations * ((context ?? 0) - shared_tokens) + shared_tokens * model.replica_count;
  expectStands(part(rule, /= ([\d.]+k?)/), needed, 'rule, needed');
  expectStands(part(rule, /the cache of ([\d.]+k)/), total_cache_tokens, 'rule, cache');
}

async function expectModelPage(page: Page, answers: Answers): Promise<void> {
  const card = page.getByRole('region', { name: 'Data-parallel routing' });
  const state = answers.of(`/api/models/${MODEL}/routing`, routingState);
  const { admission, totals } = state;
  const glance = card.getByRole('list', { name: 'Routing at a glance' }).getByRole('listitem');
  const labels = (await glance.allInnerTexts()).join(' | ').replace(/\s+/g, ' ');
  expectStands(part(labels, /Spill threshold (\d+)/), state.spill_threshold, 'label');
  expectStands(part(labels, /Sticky (\S+)/), totals.sticky_percent, 'label');
  expectStands(part(labels, /In flight (\d+)/), totals.in_flight, 'label');
  expectStands(part(labels, /(\d+) turns held/), admission.held, 'label');
  expectStands(part(labels, /longest ([\d.]+ \w+)/), admission.longest_wait_seconds, 'label');

  const meters = await card
    .getByRole('list', { name: 'Working set of each replica' })
    .getByRole('listitem')
    .allInnerTexts();
  expect(meters).toHaveLength(admission.replicas.length);
  for (const [index, room] of admission.replicas.entries()) {
    const text = meters[index]?.replace(/\s+/g, ' ');
    expectStands(part(text, /^Replica \d+ (\S+) of/), room.working_set_tokens, 'meter, kept');
    expectStands(part(text, /of (\S+) tokens/), room.capacity_tokens, 'meter, capacity');
    expectStands(part(text, /tokens (\d+) conversations/), room.alive_conversations, 'meter, conversations');
    expectStands(part(text, /conversations, (\S+) in all/), room.alive_tokens, 'meter, alive');
  }
  const rows = await tableRows(card.getByRole('table', { name: 'Replicas' }));
  for (const [index, replica] of state.replicas.entries()) {
    const hits = rows[index]?.['Prefix-cache hit'] ?? '';
    expectStands(hits.split(/(?<=%)\s|(?<=reported)\s/)[0] ?? '', replica.prefix_cache_hit_percent_5m, 'hits, 5 min');
    if (replica.prefix_cache_hit_percent !== null) {
      expectStands(part(hits, /(\S+%)\D*$/), replica.prefix_cache_hit_percent, 'hits, since the start');
    }
  }
  const { requests } = answers.of(`/api/models/${MODEL}/in-flight`, inFlightList);
  const inFlight = page.getByRole('region', { name: 'In flight' });
  await expect(inFlight).toContainText(`${requests.length} now`);
  const shown = await tableRows(inFlight.getByRole('table'));
  expect(shown.map((row) => [row.State, row.Replica, row.Decision, row.Session?.split(' ')[0]])).toEqual(
    requests.map(({ state: now, replica, decision, session }) => [now, String(replica), decision, session]),
  );
}

async function expectSessions(page: Page, answers: Answers): Promise<void> {
  const { sessions } = answers.of('/api/sessions', sessionList);
  const rows = await tableRows(page.getByRole('table', { name: 'Live sessions' }));
  expect(rows).toHaveLength(sessions.length);
  for (const session of sessions) {
    const row = rows.find((one) => one.Session === session.key);
    if (row === undefined) throw new Error(`no row of ${session.key}`);
    expect(row.Home).toBe(session.home === null ? 'none yet' : String(session.home));
    expectShown(
      row,
      {
        Turns: session.turns,
        Context: session.context_tokens,
        Cached: session.last_hit_percent,
        Spills: session.spills,
      },
      session.key,
    );
    if (session.held_seconds !== null) {
      expectStands(part(row.State, /(\d+)(?:st|nd|rd|th) in line/), session.queue_position, 'place in line');
      expectStands(part(row.State, /about (.+) for /), session.expected_wait_seconds, 'expected wait');
      expectStands(part(row.State, / for (.+)$/), session.held_seconds, 'held');
    } else if (session.in_flight > 0) {
      expect(row.State).toContain(`${session.in_flight} in flight`);
    } else {
      expect(row.State).toContain('Idle');
    }
  }
  const tiles = await page.getByRole('region', { name: 'Homes' }).getByRole('listitem').allInnerTexts();
  const homes = [...new Set(sessions.flatMap(({ home }) => home ?? []))].sort();
  expect(tiles).toHaveLength(homes.length);
  for (const [index, home] of homes.entries()) {
    const there = sessions.filter((session) => session.home === home);
    const text = tiles[index]?.replace(/\s+/g, ' ');
    expect(text).toMatch(new RegExp(`^Replica ${home} ${there.length} session`));
    const known = there.flatMap(({ context_tokens }) => context_tokens ?? []);
    const context = known.length === 0 ? null : known.reduce((sum, tokens) => sum + tokens, 0);
    expectStands(part(text, /sessions? (.+?)(?: context)?$/), context, `context on ${home}`);
  }
}

async function expectRequests(page: Page, answers: Answers): Promise<void> {
  const { requests } = answers.of('/api/requests', requestList);
  const rows = await tableRows(page.getByRole('table', { name: 'Newest requests' }));
  expect(rows).toHaveLength(requests.length);
  for (const [index, request] of requests.entries()) {
    const row = rows[index] ?? {};
    const { prompt_tokens: prompt, cached_tokens: cached } = request;
    expect(row.Replica).toBe(String(request.replica));
    expect(row.Decision).toContain(request.decision);
    expect(row.Status).toMatch(new RegExp(`^${request.status}`));
    expectStands(part(row.Prompt, /^(not reported|\S+)/), prompt, 'prompt');
    const share = prompt === null || cached === null ? null : (100 * cached) / prompt;
    expectStands(part(row.Prompt, /^(?:not reported|\S+) (.+)$/), share, 'cached share');
    expectStands(row.Completion ?? '', request.completion_tokens, 'completion');
    expectStands(part(row['First byte'], /^(.+?) of /), request.ttfb_seconds, 'first byte');
    expectStands(part(row['First byte'], / of (.+?)(?: held|$)/), request.duration_seconds, 'duration');
    const held = request.queued_seconds ?? 0;
    if (held > 0) expectStands(part(row['First byte'], / held (.+)$/), held, 'held');
  }
  expect(requests.filter(({ queued_seconds }) => (queued_seconds ?? 0) > 0)).toHaveLength(1);
}

async function expectHeldPanel(page: Page, answers: Answers): Promise<void> {
  const { totals, buckets } = answers.of('/api/stats/admission', admissionSeries);
  expect(totals.held).toBe(1);
  const numbers = ({ held, held_seconds, displaced }: typeof totals) => ({
    'Held, mean': held_seconds.mean,
    'Held, longest': held_seconds.max,
    'Turns held': held,
    'Conversations displaced': displaced,
  });
  await expectPanel(page, {
    title: 'Held for room in the cache',
    figures: numbers(totals),
    rows: buckets.map(numbers),
  });
}

async function expectKeyUsage(card: Locator, answers: Answers): Promise<void> {
  const used = answers.of('/api/keys', keyList).keys.filter(({ usage }) => usage.requests > 0);
  const rows = await tableRows(card.getByRole('table', { name: /^What each key used/ }));
  expect(rows.map((row) => row.Key)).toEqual(used.map(({ name }) => name));
  for (const [index, { usage }] of used.entries()) {
    const { prompt_cached_tokens: cached, prompt_computed_tokens: computed } = usage;
    const told = {
      Requests: usage.requests,
      Cached: cached,
      Computed: computed,
      'Completion tokens': usage.completion_tokens,
    };
    expectShown(rows[index] ?? {}, told, 'key');
    expectStands(rows[index]?.['Cached share'] ?? '', (100 * cached) / (cached + computed), 'share');
  }
}

async function expectSettings(page: Page, answers: Answers): Promise<void> {
  const { tables } = answers.of('/api/settings/database', databaseState);
  const rows = await tableRows(page.getByRole('table', { name: 'Tables of the database' }));
  expect(rows.map((row) => row.Table)).toEqual(tables.map(({ name }) => name));
  for (const [index, { name, rows: count, bytes }] of tables.entries()) {
    expectShown(rows[index] ?? {}, { Rows: count, 'Size with indexes': bytes }, name);
  }
  const { retention, limits, process } = answers.of('/api/settings', settingsState);
  const fields = await page
    .getByRole('main')
    .locator('form input')
    .evaluateAll((inputs) => inputs.map((input) => (input instanceof HTMLInputElement ? input.value : '')));
  expect(fields).toEqual(retention.map(({ value }) => String(value)));
  const shown = await tableRows(page.getByRole('table', { name: 'Configuration in force' }));
  for (const { key, value } of [...process, ...limits]) {
    if (typeof value !== 'number') continue;
    expect(shown.find((row) => row.Setting === key)?.Value, key).toBe(String(value));
  }
}

test('while turns are held, every page shows what /api told it, and /metrics tells the same', async ({ page }) => {
  const made = await fetch(`${warden.url}/api/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'of the crowd' }),
  });
  const headers = { 'x-api-key': madeKey.parse(await made.json()).secret };
  // Some that belong to no conversation, and end: one that finds its beginning in the cache, and one that is refused.
  const prompt = 'the beginning of a text that is completed '.repeat(20);
  for (const max_tokens of [4, 4, -1]) {
    await sendTurn(warden.url, { path: '/v1/completions', headers, body: { prompt, max_tokens } });
  }
  await patchRouting(warden, { cache_fit: true });
  const { leave } = await crowd(warden, headers);
  // What has ended is written once a second.
  const ended = async () => (await warden.get('/api/requests', requestList)).requests.length;
  await expect.poll(ended).toBe(6);

  await test.step('/metrics says what /api says', async () => {
    await expect(async () => {
      const { totals, replicas, admission } = await routing(warden);
      expect(totals.in_flight).toBe(6);
      expect(await metric(warden, 'warden_model_in_flight_requests')).toBe(6);
      expect(await metric(warden, 'warden_held_requests')).toBe(2);
      expect(admission.held).toBe(2);
      for (const replica of replicas) {
        const gauge = (name: string) => metric(warden, name, `replica="${replica.replica}"`);
        const room = admission.replicas.find((one) => one.replica === replica.replica);
        expect(await gauge('warden_in_flight_requests')).toBe(replica.in_flight);
        expect(await gauge('warden_live_sessions')).toBe(replica.live_sessions);
        expect(await gauge('warden_engine_requests_running')).toBe(replica.requests_running);
        expect(await gauge('warden_engine_requests_waiting')).toBe(replica.requests_waiting);
        expect(await gauge('warden_engine_kv_capacity_tokens')).toBe(replica.kv_capacity_tokens);
        expect(await gauge('warden_working_set_tokens')).toBe(room?.working_set_tokens);
        const usage = await gauge('warden_engine_kv_cache_usage_ratio');
        expect(100 * (usage ?? Number.NaN)).toBeCloseTo(replica.kv_cache_usage_percent ?? Number.NaN, 6);
        expect(usage).toBeGreaterThan(0.5);
      }
    }).toPass({ timeout: 15_000 });
  });

  const answers = watchAnswers(page);
  const open = async (path: string, look: () => Promise<void>) =>
    test.step(path, async () => {
      await page.goto(`${warden.url}${path}${path.includes('?') ? '&' : '?'}paused=true`);
      await expect(page.getByText('Paused')).toBeVisible();
      // The answers may still be on their way to the screen.
      await expect(look).toPass({ timeout: 15_000 });
    });
  await open('/', () => expectOverview(page, answers));
  await open(`/models/${MODEL}`, () => expectModelPage(page, answers));
  await open('/sessions', () => expectSessions(page, answers));
  await open('/requests', () => expectRequests(page, answers));
  await open('/access', () => expectKeyUsage(page.getByRole('main'), answers));
  await open('/settings', () => expectSettings(page, answers));
  await open('/connect', async () => {
    const facts = answers.of(`/api/models/${MODEL}/connect`, connectFacts);
    expect(facts.max_model_len).toBe(SMALL_CACHE.maxModelLen);
    await expect(page.getByRole('tabpanel')).toContainText(`CLAUDE_CODE_MAX_CONTEXT_TOKENS=${facts.max_model_len}`);
    await expect(page.getByText(`${facts.max_model_len?.toLocaleString('en')} tokens in all`)).toBeVisible();
  });
  await open(`/stats?range=15m&model=${MODEL}`, async () => {
    const panel = page.getByRole('region', { name: 'Held for room in the cache' });
    await panel.scrollIntoViewIfNeeded({ timeout: 2000 });
    const show = panel.getByRole('button', { name: /^Show table/ });
    if (await show.isVisible()) await show.click();
    await expectHeldPanel(page, answers);
    await expectKeyUsage(page.getByRole('region', { name: 'Use by key' }), answers);
  });
  expect((await routing(warden)).totals.in_flight).toBe(6);
  leave();
});
