import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { sessionList } from '#lib/contract/activity.ts';
import {
  admission,
  admissionStats,
  CONTEXT_TOKENS,
  heldSessions,
  occupy,
  queuedSeconds,
  sendTurn,
  startSmallFleet,
  untilHeld,
  untilInFlight,
} from './crowd-for-tests.ts';
import { startOddEngine } from './odd-engine-for-tests.ts';
import type { SimulatedFleetOptions } from './simulated-fleet/fleet-options.ts';
import { eventually, startTestWarden, TEST_MODEL } from './warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

type Options = { readonly model?: object; readonly limits?: object; readonly fleet?: SimulatedFleetOptions };

async function start({ model = {}, limits = {}, fleet: options = {} }: Options = {}) {
  const fleet = await startSmallFleet(options);
  closing.push(fleet);
  const warden = await startTestWarden({ fleets: [fleet], model: { cache_fit: true, ...model }, config: { limits } });
  closing.push(warden);
  return { fleet, warden };
}

describe('while all conversations fit the cache', () => {
  it('holds nobody, and every answer says so', async () => {
    const { warden } = await start();
    const turns = [sendTurn(warden), sendTurn(warden), sendTurn(warden)];
    expect(await Promise.all(turns.map(queuedSeconds))).toEqual([0, 0, 0]);
    const again = turns.map(({ session }) => sendTurn(warden, { session }));
    for (const { answer } of again) {
      expect((await answer).headers.get('x-warden-decision')).toBe('sticky');
    }
    expect(await admission(warden)).toMatchObject({ mode: 'holding', held: 0, held_total: 0, displaced_total: 0 });
    await eventually(async () => {
      const rows = await warden.requests();
      expect(rows).toHaveLength(6);
      for (const row of rows) expect(row).toMatchObject({ queued_seconds: 0, displaced: false });
    });
  });

  it('tells the room on the replica in tokens, and the rule of thumb', async () => {
    const { warden } = await start();
    const turns = [sendTurn(warden, { answerTokens: 300 }), sendTurn(warden, { answerTokens: 300 })];
    await eventually(async () => {
      const { replicas, rule } = await admission(warden);
      expect(replicas).toMatchObject([{ capacity_tokens: 5008, capacity_learned: false, alive_conversations: 2 }]);
      expect(replicas[0]?.working_set_tokens).toBeGreaterThan(2 * CONTEXT_TOKENS);
      expect(replicas[0]?.alive_tokens).toBe(replicas[0]?.working_set_tokens);
      expect(rule).toMatchObject({ live_conversations: 2, total_cache_tokens: 5008, fits: true });
      expect(rule.fitting_conversations).toBe(3);
    });
    for (const turn of turns) turn.leave();
  });
});

describe('when they do not fit', () => {
  it('holds newcomers, lets warm turns through, and goes on first come first served', async () => {
    const { warden } = await start();
    const [first, ...others] = await occupy(warden, 3);
    const fourth = sendTurn(warden);
    await untilHeld(warden, 1);
    const fifth = sendTurn(warden);
    await untilHeld(warden, 2);
    expect(await heldSessions(warden)).toMatchObject([
      { home: null, queue_position: 1, turns: 0, in_flight: 0, client: 'Claude Code' },
      { home: null, queue_position: 2 },
    ]);
    const warm = sendTurn(warden, { session: others[0]?.session ?? '' });
    expect(await queuedSeconds(warm)).toBe(0);
    expect(await admission(warden)).toMatchObject({ held: 2, held_total: 2 });

    let isFifthAnswered = false;
    fifth.answer.then(() => {
      isFifthAnswered = true;
    });
    first?.leave();
    expect(await queuedSeconds(fourth)).toBeGreaterThan(0);
    expect((await fourth.answer).headers.get('x-warden-decision')).toBe('placed');
    expect(isFifthAnswered).toBe(false);
    for (const turn of others) turn.leave();
    expect(await queuedSeconds(fifth)).toBeGreaterThan(await queuedSeconds(fourth));
    expect(await admission(warden)).toMatchObject({ held: 0, longest_wait_seconds: null });
  });

  it('tells on the request and in the statistics how long it held a turn, and why it went where it went', async () => {
    const { warden } = await start();
    const [first] = await occupy(warden, 3);
    const held = sendTurn(warden);
    await untilHeld(warden, 1);
    expect((await admission(warden)).longest_wait_seconds).toBeGreaterThanOrEqual(0);
    first?.leave();
    const seconds = await queuedSeconds(held);
    await eventually(async () => {
      const row = (await warden.requests()).find(({ queued_seconds }) => (queued_seconds ?? 0) > 0);
      expect(row).toMatchObject({
        queued_seconds: seconds,
        reason: 'no home known; replica 0 has room for it in its cache',
      });
      expect(row?.ttfb_seconds).toBeGreaterThan(seconds);
      const filled = (await admissionStats(warden)).buckets.filter((bucket) => bucket.held > 0);
      expect(filled).toMatchObject([{ held: 1, held_seconds: { mean: seconds, max: seconds }, displaced: 0 }]);
    });
  });

  it('tells each that waits how long it may take, once it is seen how fast the line moves', async () => {
    const { warden } = await start();
    const running = await occupy(warden, 3);
    const waits = async () => (await heldSessions(warden)).map((session) => session.expected_wait_seconds);
    const held: ReturnType<typeof sendTurn>[] = [];
    for (let count = 1; count <= 4; count += 1) {
      held.push(sendTurn(warden, { answerTokens: 2000 }));
      await untilHeld(warden, count);
    }
    running[0]?.leave();
    await untilHeld(warden, 3);
    expect(await waits()).toEqual([null, null, null]);
    running[1]?.leave();
    await untilHeld(warden, 2);
    const [next = null, last = null] = await waits();
    expect(next).toBeGreaterThanOrEqual(0);
    expect(last).toBeGreaterThan(next ?? Number.NaN);
    expect(last).toBeLessThan(120);
    for (const turn of [...running, ...held]) turn.leave();
  });

  it('frees the place of a held turn whose client leaves, and the others move up', async () => {
    const { warden } = await start();
    await occupy(warden, 3);
    const leaving = sendTurn(warden);
    await untilHeld(warden, 1);
    sendTurn(warden);
    await untilHeld(warden, 2);
    const second = (await heldSessions(warden))[1]?.key;
    leaving.leave();
    await untilHeld(warden, 1);
    expect(await heldSessions(warden)).toMatchObject([{ key: second, queue_position: 1 }]);
    expect(await admission(warden)).toMatchObject({ left_total: 1 });
  });

  it('lets a turn go to the engine when it was held for as long as is allowed', async () => {
    const { warden } = await start({ limits: { max_hold_seconds: 1 } });
    const turns = await occupy(warden, 3);
    const held = sendTurn(warden);
    await untilHeld(warden, 1);
    await untilInFlight(warden, 4);
    expect(await admission(warden)).toMatchObject({ max_hold_seconds: 1, held: 0 });
    for (const turn of turns) turn.leave();
    expect((await held.answer).status).toBe(200);
    expect(await queuedSeconds(held)).toBeGreaterThanOrEqual(1);
  });

  it('does not hold side requests, turns that the client pins, or requests of no conversation', async () => {
    const { warden } = await start();
    await occupy(warden, 3);
    sendTurn(warden);
    await untilHeld(warden, 1);
    const title = sendTurn(warden, {
      contextTokens: 20,
      headers: { 'user-agent': 'claude-cli/2.1.100 (external, cli)' },
      body: { output_config: { format: { type: 'json_schema' } } },
    });
    const pinned = sendTurn(warden, { contextTokens: 20, headers: { 'x-data-parallel-rank': '0' } });
    const decisions = [title, pinned].map(async ({ answer }) => (await answer).headers.get('x-warden-decision'));
    expect(await Promise.all(decisions)).toEqual(['balanced', 'client_pinned']);
    const bare = await warden.post('/v1/completions', { model: TEST_MODEL, prompt: 'once', max_tokens: 2 });
    await bare.text();
    expect(bare.headers.get('x-warden-decision')).toBe('balanced');
    expect([await queuedSeconds(title), await queuedSeconds(pinned)]).toEqual([0, 0]);
    expect(bare.headers.get('x-warden-queued-seconds')).toBe('0');
    expect(await admission(warden)).toMatchObject({ held: 1 });
  });

  it('sends a conversation that is larger than the cache when nobody else needs it', async () => {
    const { warden } = await start();
    const [first] = await occupy(warden, 1);
    const large = sendTurn(warden, { contextTokens: 6000 });
    await untilHeld(warden, 1);
    first?.leave();
    // The engine refuses it, as no replica could ever hold it: that is the engine's to say.
    expect((await large.answer).status).toBe(400);
    expect(await queuedSeconds(large)).toBeGreaterThan(0);
    expect(await admission(warden)).toMatchObject({ held: 0, held_total: 1, left_total: 0 });
  });
});

describe('what changes while turns are held', () => {
  async function crowd(options: Options = {}) {
    const running = await start(options);
    const turns = await occupy(running.warden, 3);
    const held = [sendTurn(running.warden), sendTurn(running.warden)];
    await untilHeld(running.warden, 2);
    return { ...running, turns, held };
  }
  const statuses = (turns: readonly ReturnType<typeof sendTurn>[]) =>
    Promise.all(turns.map(async ({ answer }) => (await answer).status));

  it.each([{ cache_fit: false }, { affinity: false }])('lets all go at once on %o', async (change) => {
    const { warden, turns, held } = await crowd();
    expect((await warden.patchRouting(change)).status).toBe(200);
    await untilInFlight(warden, 5);
    for (const turn of turns) turn.leave();
    expect(await statuses(held)).toEqual([200, 200]);
    expect((await admission(warden)).mode).toBe('affinity' in change ? 'inactive' : 'watching');
    const next = sendTurn(warden);
    expect((await next.answer).headers.get('x-warden-queued-seconds')).toBeNull();
  });

  it('lets them go when the engine restarts with an empty cache', async () => {
    const { fleet, warden, held } = await crowd();
    await fleet.restart();
    expect(await statuses(held)).toEqual([200, 200]);
    expect(await admission(warden)).toMatchObject({ held: 0 });
  });

  it('lets them go when the router stops', async () => {
    const { fleet, warden, turns, held } = await crowd();
    const restarting = warden.restart(20);
    await eventually(() => {
      const { running, waiting } = fleet.gauges()[0] ?? { running: 0, waiting: 0 };
      expect(running + waiting).toBe(5);
    });
    for (const turn of turns) turn.leave();
    expect(await statuses(held)).toEqual([200, 200]);
    await restarting;
  });

  it('takes up a longest hold that is changed in warden.yaml', async () => {
    const { fleet, warden, turns, held } = await crowd();
    const entry = { name: TEST_MODEL, max_num_seqs: 32, cache_fit: true, replicas: [{ url: fleet.url }] };
    const config = { limits: { max_hold_seconds: 1 }, models: [entry] };
    writeFileSync(join(warden.dataDir, 'warden.yaml'), stringify(config));
    await untilInFlight(warden, 5);
    for (const turn of turns) turn.leave();
    expect(await statuses(held)).toEqual([200, 200]);
  });
});

describe('an engine that does not report its cache', () => {
  it('is given everything, and its capacity is told as not known', async () => {
    const odd = await startOddEngine((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write('data: {"choices":[{"delta":{"content":"first"}}]}\n\n');
    });
    closing.push(odd.engine);
    const warden = await startTestWarden({ fleets: [odd.engine], model: { cache_fit: true } });
    closing.push(warden);
    await occupy(warden, 8);
    const { held, rule, replicas } = await admission(warden);
    expect(held).toBe(0);
    expect(rule).toMatchObject({ live_conversations: 8, total_cache_tokens: null, fits: null });
    expect(replicas.map(({ capacity_tokens }) => capacity_tokens)).toEqual([null, null]);
  });

  it('has the capacity that is configured, and is given no more than fits', async () => {
    const odd = await startOddEngine((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write('data: {"choices":[{"delta":{"content":"first"}}]}\n\n');
    });
    closing.push(odd.engine);
    const model = { cache_fit: true, kv_cache_tokens: 2 * CONTEXT_TOKENS };
    const warden = await startTestWarden({ fleets: [odd.engine], model });
    closing.push(warden);
    await occupy(warden, 2);
    for (let turn = 0; turn < 4; turn += 1) sendTurn(warden);
    const { replicas } = await eventually(async () => {
      const seen = await admission(warden);
      expect(seen.held).toBeGreaterThan(0);
      return seen;
    });
    expect(replicas.map(({ capacity_tokens }) => capacity_tokens)).toEqual([2 * CONTEXT_TOKENS, 2 * CONTEXT_TOKENS]);
  });
});

describe('several replicas', () => {
  it('follows a person who moves a conversation, though its place is kept elsewhere', async () => {
    const { warden } = await start({ fleet: { replicas: 2 } });
    const turns = await occupy(warden, 5);
    const { session } = turns[0] ?? { session: '' };
    sendTurn(warden, { answerTokens: 2000 });
    await untilInFlight(warden, 6);
    sendTurn(warden);
    await untilHeld(warden, 1);
    const replicaOf = async () => (await sendTurn(warden, { session }).answer).headers.get('x-warden-replica');
    const before = await replicaOf();
    const { sessions } = sessionList.parse(await (await fetch(`${warden.url}/api/sessions`)).json());
    const mine = sessions.find(({ turns: count }) => count === 2);
    const to = 1 - Number(before);
    const moved = await warden.post(`/api/sessions/${mine?.key}/home?model=${TEST_MODEL}`, { replica: to });
    expect(moved.status).toBe(200);
    const busy = async () => (await warden.routing()).replicas[to]?.in_flight;
    expect(await busy()).toBe(3);
    sendTurn(warden, { session });
    await eventually(async () => expect(await busy()).toBe(4));
  });

  it('gives a held turn to the one that has room', async () => {
    const { warden } = await start({ fleet: { replicas: 2 } });
    const turns = await occupy(warden, 6);
    const held = sendTurn(warden);
    await untilHeld(warden, 1);
    expect(await heldSessions(warden)).toMatchObject([{ home: null, queue_position: 1, expected_wait_seconds: null }]);
    turns[4]?.leave();
    expect(await queuedSeconds(held)).toBeGreaterThan(0);
    const replica = Number((await held.answer).headers.get('x-warden-replica'));
    await eventually(async () => {
      const left = (await warden.requests()).filter(({ outcome }) => outcome === 'client_left');
      expect(left.map((row) => row.replica)).toEqual([replica]);
    });
  });

  it('goes on with those that are left when one goes down', async () => {
    const fleets = [await startSmallFleet(), await startSmallFleet()] as const;
    closing.push(...fleets);
    const warden = await startTestWarden({ fleets, model: { cache_fit: true } });
    closing.push(warden);
    const turns = await occupy(warden, 6);
    const held = sendTurn(warden);
    await untilHeld(warden, 1);
    await fleets[0].close();
    await eventually(async () => expect((await warden.routing()).health).toBe('degraded'), 10_000);
    for (const turn of turns) turn.leave();
    expect((await held.answer).status).toBe(200);
    expect((await held.answer).headers.get('x-warden-replica')).toBe('1');
  });
});

describe('while cache-fit is off', () => {
  it('says of a turn that was evicted how much its replica would have to hold', async () => {
    const { warden } = await start({ model: { cache_fit: false }, fleet: { speed: 2 } });
    const sessions = Array.from({ length: 5 }, () => randomUUID());
    for (const session of [...sessions, ...sessions, ...sessions]) await sendTurn(warden, { session }).answer;
    await eventually(async () => {
      const missed = (await warden.requests()).filter(({ miss_code }) => miss_code?.code === 'too_much');
      expect(missed.length).toBeGreaterThan(0);
      expect(missed[0]?.miss_code?.values.cache_tokens).toBe(5008);
      expect(Number(missed[0]?.miss_code?.values.need_tokens)).toBeGreaterThan(5 * CONTEXT_TOKENS);
    });
  });

  it('measures the working set all the same, and holds nobody', async () => {
    const { warden } = await start({ model: { cache_fit: false } });
    const turns = await occupy(warden, 5);
    const { mode, held, held_total, displaced_total, replicas, rule, ...state } = await admission(warden);
    expect({ mode, held, held_total, displaced_total }).toEqual({
      mode: 'watching',
      held: 0,
      held_total: 0,
      displaced_total: 0,
    });
    expect(state.yield_after_seconds).toBeLessThan(120);
    expect(replicas[0]?.working_set_tokens).toBeGreaterThan(replicas[0]?.capacity_tokens ?? 0);
    expect(rule).toMatchObject({ live_conversations: 5, fitting_conversations: 3, fits: false });
    for (const turn of turns) turn.leave();
    const next = sendTurn(warden);
    expect((await next.answer).headers.get('x-warden-queued-seconds')).toBeNull();
  });

  it('is switched on and off for the next request, and the choice survives a restart', async () => {
    const { warden } = await start({ model: { cache_fit: false } });
    await warden.patchRouting({ cache_fit: true, yield_after_seconds: 20 });
    const state = async () => {
      const { cache_fit, admission: now } = await warden.routing();
      return { cache_fit, yields: now.yield_after_seconds, set: now.yield_after_setting, mode: now.mode };
    };
    const chosen = { cache_fit: true, yields: 20, set: 20, mode: 'holding' };
    expect(await state()).toEqual(chosen);
    await warden.restart();
    expect(await state()).toEqual(chosen);
    await occupy(warden, 3);
    sendTurn(warden);
    await untilHeld(warden, 1);
    await warden.patchRouting({ yield_after_seconds: 'auto' });
    expect(await state()).toMatchObject({ cache_fit: true, set: 'auto' });
    expect((await warden.patchRouting({ yield_after_seconds: 0 })).status).toBe(400);
  });

  it('marks the changes for the charts', async () => {
    const { warden } = await start({ model: { cache_fit: false } });
    await warden.patchRouting({ cache_fit: true });
    await warden.patchRouting({ yield_after_seconds: 30 });
    await warden.patchRouting({ cache_fit: false });
    await eventually(async () => {
      const { events } = await (await fetch(`${warden.url}/api/events`)).json();
      const kinds = events.map(({ kind }: { kind: string }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['cache_fit_off', 'yield_after', 'cache_fit_on']));
    });
  });
});
