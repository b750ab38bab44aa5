import { randomUUID } from 'node:crypto';
import { expect } from 'playwright/test';
import type { ReplicaRouting, RoutingState } from '#lib/contract/models.ts';
import { openModelPage, routing, watchRouting } from './model-page.ts';
import { openTurn, sendTurn } from './turns.ts';
import { test } from './warden-test.ts';

/** The number at the start of a cell: "3 / 8" is 3, "<1% of 164k" is 1, "—" is null. */
function leading(cell: string | undefined): number | null {
  const digits = /^[<>]?([\d.]+)/.exec(cell ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/** What a row of the card has to say of a replica. */
function countsOf(replica: ReplicaRouting, threshold: number) {
  return {
    'In flight': expect.stringMatching(new RegExp(`^${replica.in_flight} / ${threshold}( full)?$`)),
    'Live sessions': String(replica.live_sessions),
    Sticky: String(replica.sticky),
    Placed: String(replica.placed),
    'Spilled in': String(replica.spilled_in),
    'Client-pinned': String(replica.client_pinned),
    Running: String(replica.requests_running),
    Waiting: String(replica.requests_waiting),
  };
}

function rowsOf(state: RoutingState) {
  return state.replicas.map((replica) => expect.objectContaining(countsOf(replica, state.spill_threshold)));
}

test('shows what /api says: labels, one row per replica, since when it counts', async ({ page, warden }) => {
  const session = randomUUID();
  const history = { messages: [{ role: 'user', content: 'a long history '.repeat(300) }] };
  for (let turn = 0; turn < 3; turn += 1) await sendTurn(warden.url, { session, body: history });
  await sendTurn(warden.url, { headers: { 'x-data-parallel-rank': '2' } });

  const { card, label, rows, affinity } = await openModelPage(page, warden);
  const state = await routing(warden);
  expect(state).toMatchObject({ affinity: true, spill_threshold: 8, spill_threshold_source: 'auto' });
  await expect(label('Affinity on')).toBeVisible();
  await expect(label('Spill threshold 8 (auto)')).toBeVisible();
  await expect(label('Sticky 100.0%')).toBeVisible();
  await expect(label('In flight 0')).toBeVisible();
  await expect(label('Simulated')).toBeVisible();
  await expect(affinity).toBeChecked();

  await expect.poll(rows).toEqual(rowsOf(state));
  expect((await rows()).map((row) => row.Replica)).toEqual(['0 Up', '1 Up', '2 Up', '3 Up']);
  const home = state.replicas.find((replica) => replica.sticky === 2);
  expect(home).toMatchObject({ placed: 1, live_sessions: 1 });
  expect(state.replicas[2]?.client_pinned).toBe(1);

  const since = await page.evaluate(
    (time) => new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }),
    state.since,
  );
  await expect(card.getByText(`Counting since ${since}`)).toBeVisible();
});

test('shows the cache of the engine as it reports it', async ({ page, warden }) => {
  const session = randomUUID();
  const history = { messages: [{ role: 'user', content: 'a long history '.repeat(300) }] };
  for (let turn = 0; turn < 3; turn += 1) await sendTurn(warden.url, { session, body: history });
  const newest = watchRouting(page);
  const { rows } = await openModelPage(page, warden);
  await expect
    .poll(() => newest()?.replicas.some((replica) => (replica.prefix_cache_hit_percent ?? 0) > 50))
    .toBe(true);
  await expect(async () => {
    const [state, shown] = [newest(), await rows()];
    for (const replica of state?.replicas ?? []) {
      const row = shown[replica.replica];
      const used = replica.kv_cache_usage_percent ?? Number.NaN;
      expect(Math.abs((leading(row?.['KV used']) ?? Number.NaN) - used)).toBeLessThanOrEqual(1);
      const hit = replica.prefix_cache_hit_percent_5m;
      if (hit === null) expect(row?.['Prefix-cache hit']).toContain('—');
      else expect(leading(row?.['Prefix-cache hit'])).toBeCloseTo(hit, 0);
    }
  }).toPass();
});

test('counts each turn of a conversation on its home as it happens', async ({ page, warden }) => {
  const session = randomUUID();
  const { label, rows } = await openModelPage(page, warden);
  await expect(label(/^Sticky/)).toContainText('not reported');
  const { replica } = await sendTurn(warden.url, { session });
  const row = async () => (await rows())[replica ?? -1];
  await expect.poll(row).toMatchObject({ Placed: '1', Sticky: '0', 'Live sessions': '1' });
  for (let turn = 0; turn < 4; turn += 1) await sendTurn(warden.url, { session });
  await expect.poll(row).toMatchObject({ Placed: '1', Sticky: '4', 'Live sessions': '1' });
  await expect(label('Sticky 100.0%')).toBeVisible();
});

test('says the same as /api while traffic runs', async ({ page, warden }) => {
  const newest = watchRouting(page);
  const { label, rows } = await openModelPage(page, warden);
  const busy = await Promise.all(
    Array.from({ length: 6 }, () => openTurn(warden.url, { session: randomUUID(), tokens: 2000 })),
  );
  await expect(label('In flight 6')).toBeVisible();
  const seen = new Set<string>();
  await expect(async () => {
    await sendTurn(warden.url, { session: randomUUID() });
    const state = newest();
    expect(state).not.toBeNull();
    if (state === null) return;
    const shown = await rows();
    // The page may have been given a newer state between the two readings.
    if (newest() !== state) throw new Error('a poll came in between');
    expect(shown).toEqual(rowsOf(state));
    seen.add(JSON.stringify(state.totals));
    expect(seen.size).toBeGreaterThanOrEqual(3);
  }).toPass({ intervals: [100] });
  for (const turn of busy) turn.leave();
  await expect(label('In flight 0')).toBeVisible();
});
