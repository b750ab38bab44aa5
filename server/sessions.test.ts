import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventList, requestList, sessionDetail, sessionEntry, sessionList } from '#lib/contract/activity.ts';
import { heldSessions, occupy, sendTurn, startSmallFleet, untilHeld } from './crowd-for-tests.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

async function started(): Promise<TestWarden> {
  const fleet = await startSimulatedFleet({ speed: 50 });
  closing.push(fleet);
  const warden = await startTestWarden({ fleets: [fleet] });
  closing.push(warden);
  return warden;
}

const LONG = 'a word and another '.repeat(300);

async function turn(warden: TestWarden, session: string, headers: Record<string, string> = {}, tokens = 4) {
  const body = { model: TEST_MODEL, max_tokens: tokens, ignore_eos: true, messages: [{ role: 'user', content: LONG }] };
  const answer = await warden.post('/v1/chat/completions', body, { 'x-claude-code-session-id': session, ...headers });
  await answer.text();
  const replica = answer.headers.get('x-warden-replica');
  return { decision: answer.headers.get('x-warden-decision'), replica: replica === null ? null : Number(replica) };
}

const query = `?model=${TEST_MODEL}`;

async function theSession(warden: TestWarden) {
  const { sessions } = sessionList.parse(await (await fetch(`${warden.url}/api/sessions${query}`)).json());
  const [session] = sessions;
  if (session === undefined || session.home === null) throw new Error('no session has a home');
  return { ...session, home: session.home };
}

const detail = async (warden: TestWarden, key: string) =>
  sessionDetail.parse(await (await fetch(`${warden.url}/api/sessions/${key}${query}`)).json());

const move = (warden: TestWarden, key: string, replica: unknown) =>
  warden.post(`/api/sessions/${key}/home${query}`, { replica });

const forget = (warden: TestWarden, key: string) =>
  fetch(`${warden.url}/api/sessions/${key}${query}`, { method: 'DELETE' });

async function eventKinds(warden: TestWarden): Promise<string[]> {
  const { events } = eventList.parse(await (await fetch(`${warden.url}/api/events${query}`)).json());
  return events.map(({ kind }) => kind);
}

describe('a session', () => {
  it('counts all its turns, also those before its home was made anew', async () => {
    const warden = await started();
    const session = randomUUID();
    await turn(warden, session);
    await turn(warden, session);
    await forget(warden, (await theSession(warden)).key);
    expect((await turn(warden, session)).decision).toBe('placed');
    expect((await theSession(warden)).turns).toBe(3);
  });

  it('comes with its turns, oldest first, each with why it went there, and why one missed', async () => {
    const warden = await started();
    const session = randomUUID();
    await turn(warden, session);
    await turn(warden, session);
    const { key, home } = await theSession(warden);
    const other = (home + 1) % 4;
    expect((await move(warden, key, other)).status).toBe(200);
    await turn(warden, session);
    await eventually(async () => expect((await detail(warden, key)).turns).toHaveLength(3));
    const found = await detail(warden, key);
    expect(found.has_more).toBe(false);
    expect(found.session).toMatchObject({ key, home: other, turns: 3 });
    expect(found.turns).toMatchObject([
      { decision: 'placed', replica: home, reason_code: { code: 'least_load' }, miss: null },
      { decision: 'sticky', replica: home, reason_code: { code: 'at_home', values: { home } }, miss: null },
      {
        decision: 'sticky',
        replica: other,
        miss_code: { code: 'elsewhere', values: { replica: other, before: home } },
      },
    ]);
    expect(found.turns[2]?.miss).toContain(`cache of replica ${home}`);
    expect(found.turns.every((one) => one.session === key)).toBe(true);
  });

  it('is moved by hand: its next turn goes to the new home, and an event says so', async () => {
    const warden = await started();
    const session = randomUUID();
    await turn(warden, session);
    const { key, home } = await theSession(warden);
    const moved = sessionEntry.parse(await (await move(warden, key, 'least_loaded')).json());
    expect(moved.home).not.toBe(home);
    expect(await turn(warden, session)).toEqual({ decision: 'sticky', replica: moved.home });
    await eventually(async () => expect(await eventKinds(warden)).toContain('session_moved'));
  });

  it('moves in the middle of a turn with effect from the next one', async () => {
    const warden = await started();
    const session = randomUUID();
    const running = turn(warden, session, {}, 4000);
    await eventually(async () => expect((await theSession(warden)).in_flight).toBe(1));
    const { key, home } = await theSession(warden);
    await move(warden, key, (home + 2) % 4);
    expect((await running).replica).toBe(home);
    expect((await turn(warden, session)).replica).toBe((home + 2) % 4);
  });

  it('is forgotten: its next turn is placed anew, and an event says so', async () => {
    const warden = await started();
    const session = randomUUID();
    await turn(warden, session);
    const { key } = await theSession(warden);
    expect(await (await forget(warden, key)).json()).toEqual({ model: TEST_MODEL, key });
    expect((await (await fetch(`${warden.url}/api/sessions`)).json()).sessions).toEqual([]);
    // What it did is still there to look at.
    await eventually(async () => expect((await detail(warden, key)).session).toBeNull());
    expect((await turn(warden, session)).decision).toBe('placed');
    await eventually(async () => expect(await eventKinds(warden)).toContain('session_forgotten'));
  });

  it('does not move to a replica that is not there, is draining, or by a call that makes no sense', async () => {
    const warden = await started();
    await turn(warden, randomUUID());
    const { key, home } = await theSession(warden);
    const other = (home + 1) % 4;
    await fetch(`${warden.url}/api/models/${TEST_MODEL}/replicas/${other}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ draining: true }),
    });
    expect((await move(warden, key, other)).status).toBe(409);
    expect((await move(warden, key, 4)).status).toBe(409);
    expect((await move(warden, key, -1)).status).toBe(400);
    expect((await move(warden, key, 'anywhere')).status).toBe(400);
    expect((await warden.post(`/api/sessions/${key}/home?model=other`, { replica: 0 })).status).toBe(404);
    expect((await move(warden, '000000000000', 0)).status).toBe(404);
    expect((await forget(warden, '000000000000')).status).toBe(404);
    expect((await fetch(`${warden.url}/api/sessions/000000000000${query}`)).status).toBe(404);
    expect((await theSession(warden)).home).toBe(home);
    expect((await move(warden, key, home)).status).toBe(200);
  });
});

it('can be looked at while its first turn is held, and has no home to be moved from', async () => {
  const fleet = await startSmallFleet();
  closing.push(fleet);
  const warden = await startTestWarden({ fleets: [fleet], model: { cache_fit: true } });
  closing.push(warden);
  const busy = await occupy(warden, 3);
  const held = sendTurn(warden);
  await untilHeld(warden, 1);
  const [{ key }] = z.tuple([z.object({ key: z.string() })]).parse(await heldSessions(warden));
  const { session, turns } = await detail(warden, key);
  expect(session).toMatchObject({ home: null, queue_position: 1, turns: 0 });
  expect(turns).toEqual([]);
  expect((await move(warden, key, 0)).status).toBe(404);
  for (const one of [...busy, held]) one.leave();
});

describe('requests', () => {
  const list = async (warden: TestWarden, search: string) => {
    const answer = await fetch(`${warden.url}/api/requests?${search}`);
    return { status: answer.status, ...requestList.partial().parse(await answer.json()) };
  };

  it('are found by what they are, page by page', async () => {
    const warden = await started();
    for (let left = 7; left > 0; left -= 1) await turn(warden, randomUUID(), { 'user-agent': 'curl/8.14.1' });
    await turn(warden, randomUUID(), {
      'user-agent': 'claude-cli/2.1.332 (external, cli)',
      'x-data-parallel-rank': '3',
    });
    await eventually(async () => expect((await list(warden, '')).requests).toHaveLength(8));

    expect((await list(warden, 'decision=client_pinned')).requests).toMatchObject([
      { replica: 3, client: 'Claude Code 2.1.332', reason_code: { code: 'asked_for', values: { replica: 3 } } },
    ]);
    expect((await list(warden, 'client=Claude+Code&status=ok&window=15m')).requests).toHaveLength(1);
    expect((await list(warden, 'replica=3&decision=placed')).requests?.every((one) => one.replica === 3)).toBe(true);
    expect((await list(warden, 'status=failed')).requests).toEqual([]);
    expect(await (await fetch(`${warden.url}/api/requests/clients`)).json()).toEqual({
      clients: ['Claude Code 2.1.332', 'curl'],
    });
    for (const order of ['newest', 'slowest', 'longest']) {
      const ids: string[] = [];
      let next: string | null | undefined = '';
      while (typeof next === 'string') {
        const page: Awaited<ReturnType<typeof list>> = await list(warden, `limit=3&order=${order}&before=${next}`);
        ids.push(...(page.requests ?? []).map(({ id }) => id));
        next = page.next;
      }
      expect(new Set(ids).size).toBe(8);
      expect(ids).toHaveLength(8);
    }
  });

  it.each(['decision=nonsense', 'replica=-1', 'status=700', 'session=%25', 'order=oldest', 'window=2h', 'before=1'])(
    'cannot be asked for by %s, and the field at fault is named',
    async (search) => {
      const warden = await started();
      const answer = await fetch(`${warden.url}/api/requests?${search}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ field: search.split('=')[0] });
    },
  );
});
