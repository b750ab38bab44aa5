import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

async function oneUrl(speed = 50): Promise<{ fleet: SimulatedFleet; warden: TestWarden }> {
  const fleet = await startSimulatedFleet({ speed });
  closing.push(fleet);
  const warden = await startTestWarden({ fleets: [fleet] });
  closing.push(warden);
  return { fleet, warden };
}

async function severalUrls(count: number, speed = 50): Promise<{ fleets: SimulatedFleet[]; warden: TestWarden }> {
  const fleets = await Promise.all(Array.from({ length: count }, () => startSimulatedFleet({ replicas: 1, speed })));
  closing.push(...fleets);
  const warden = await startTestWarden({ fleets });
  closing.push(warden);
  return { fleets, warden };
}

type Turn = {
  readonly replica: string | null;
  readonly decision: string | null;
  readonly source: string | null;
  readonly status: number;
};

/** Turns of the conversation that go on until they are left. Resolves when all are under way. */
async function holdTurns(warden: TestWarden, session: string, count: number): Promise<() => Promise<void>> {
  const leaving = new AbortController();
  const body = { model: TEST_MODEL, max_tokens: 30_000, ignore_eos: true, stream: true };
  const messages = [{ role: 'user', content: `hello from ${session}` }];
  const headers = { 'x-claude-code-session-id': session };
  await Promise.all(
    Array.from({ length: count }, () =>
      warden.post('/v1/chat/completions', { ...body, messages }, headers, leaving.signal),
    ),
  );
  await eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(count));
  return async () => {
    leaving.abort();
    await eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(0));
  };
}

/** One finished turn: `Bearer`-less chat completion under a Claude Code session id. */
async function turn(
  warden: TestWarden,
  session: string,
  body: object = {},
  path = '/v1/chat/completions',
): Promise<Turn> {
  const answer = await warden.post(
    path,
    { model: TEST_MODEL, max_tokens: 4, messages: [{ role: 'user', content: `hello from ${session}` }], ...body },
    { 'x-claude-code-session-id': session },
  );
  await answer.text();
  return {
    replica: answer.headers.get('x-warden-replica'),
    decision: answer.headers.get('x-warden-decision'),
    source: answer.headers.get('x-warden-session-source'),
    status: answer.status,
  };
}

describe('a conversation on one URL with ranks', () => {
  it('is placed, then stays, and the engine serves it from its cache', async () => {
    const { fleet, warden } = await oneUrl();
    const session = randomUUID();
    const long = 'word '.repeat(400);
    const first = await turn(warden, session, { messages: [{ role: 'user', content: long }] });
    const second = await turn(warden, session, { messages: [{ role: 'user', content: long }] });
    expect(first).toMatchObject({ decision: 'placed', source: 'x-claude-code-session-id', status: 200 });
    expect(second).toMatchObject({ decision: 'sticky', replica: first.replica });
    const cached = fleet.gauges().map((gauge) => gauge.cachedTokens);
    expect(cached[Number(first.replica)]).toBeGreaterThan(300);
    expect(cached.filter((tokens) => tokens > 0)).toHaveLength(1);
  });

  it('spreads a burst of new conversations over idle replicas', async () => {
    const { warden } = await oneUrl(5);
    const turns = await Promise.all(Array.from({ length: 4 }, () => turn(warden, randomUUID())));
    expect(turns.map(({ decision }) => decision)).toEqual(['placed', 'placed', 'placed', 'placed']);
    expect(new Set(turns.map(({ replica }) => replica)).size).toBe(4);
  });

  it('does not favour replica 0 when conversations come one after the other', async () => {
    const { warden } = await oneUrl();
    const replicas = new Set<string | null>();
    for (let index = 0; index < 4; index += 1) replicas.add((await turn(warden, randomUUID())).replica);
    expect(replicas.size).toBe(4);
  });

  it('spills at the threshold, comes home afterwards, and the counters say so', async () => {
    const { warden } = await oneUrl(2);
    const session = randomUUID();
    const home = (await turn(warden, session)).replica;
    const leave = await holdTurns(warden, session, 8);
    const ninth = await turn(warden, session);
    expect(ninth.decision).toBe('spilled');
    expect(ninth.replica).not.toBe(home);
    await leave();
    expect(await turn(warden, session)).toMatchObject({ decision: 'sticky', replica: home });
    const { totals, replicas, spill_threshold } = await warden.routing();
    expect(spill_threshold).toBe(8);
    expect(totals).toMatchObject({ in_flight: 0, placed: 1, sticky: 9, spilled: 1, sticky_percent: 90 });
    expect(replicas[Number(ninth.replica)]?.spilled_in).toBe(1);
  });

  it('follows a changed threshold on the next request', async () => {
    const { warden } = await oneUrl(2);
    const session = randomUUID();
    await turn(warden, session);
    expect((await warden.patchRouting({ spill_threshold: 1 })).status).toBe(200);
    const leave = await holdTurns(warden, session, 1);
    expect((await turn(warden, session)).decision).toBe('spilled');
    await leave();
  });

  it('leaves the choice to the engine while affinity is off, also after a restart', async () => {
    const { warden } = await oneUrl();
    const session = randomUUID();
    await turn(warden, session);
    expect(await (await warden.patchRouting({ affinity: false })).json()).toMatchObject({ affinity: false });
    expect(await turn(warden, session)).toMatchObject({ decision: 'unrouted', replica: null, status: 200 });
    await warden.restart();
    expect(await turn(warden, session)).toMatchObject({ decision: 'unrouted', replica: null });
    await warden.patchRouting({ affinity: true });
    expect((await turn(warden, session)).decision).toBe('sticky');
  });

  it('keeps homes and counters over a restart of the router, and forgets homes when the engine restarted', async () => {
    const { fleet, warden } = await oneUrl();
    const session = randomUUID();
    const first = await turn(warden, session);
    await turn(warden, session);
    const { since } = await warden.routing();
    await warden.restart();
    expect(await turn(warden, session)).toMatchObject({ decision: 'sticky', replica: first.replica });
    expect(await warden.routing()).toMatchObject({ since, totals: { placed: 1, sticky: 2 } });
    await fleet.restart();
    await eventually(async () => expect((await warden.routing()).engine.restarted_at).not.toBeNull(), 10_000);
    expect((await turn(warden, session)).decision).toBe('placed');
  });

  it('does not take up homes when the engine restarted while the router was away', async () => {
    const { fleet, warden } = await oneUrl();
    const session = randomUUID();
    await turn(warden, session);
    await turn(warden, session);
    await warden.restart(0, () => fleet.restart());
    expect((await turn(warden, session)).decision).toBe('placed');
  });

  it('sends exactly one rank header upstream: the valid one of the client, never an invalid one', async () => {
    const { fleet, warden } = await oneUrl();
    const pinned = await warden.post(
      '/v1/chat/completions',
      { model: TEST_MODEL, max_tokens: 2, messages: [{ role: 'user', content: 'hi' }] },
      { 'X-Data-Parallel-Rank': '2', 'x-claude-code-session-id': randomUUID() },
    );
    expect(pinned.headers.get('x-warden-decision')).toBe('client_pinned');
    expect(pinned.headers.get('x-warden-replica')).toBe('2');
    await pinned.text();
    expect(fleet.gauges().map((gauge) => gauge.finished)).toEqual([0, 0, 1, 0]);
    for (const value of ['4', '-1', 'one', '1, 2', '']) {
      const refused = await warden.post(
        '/v1/messages',
        { model: TEST_MODEL, max_tokens: 2, messages: [] },
        { 'X-Data-Parallel-Rank': value },
      );
      expect(refused.status).toBe(400);
      const body = await refused.json();
      expect(body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
      expect(body.error.message).toContain('x-data-parallel-rank');
    }
  });

  it('leaves /v1/responses to the engine and says why', async () => {
    const { warden } = await oneUrl();
    const answer = await warden.post(
      '/v1/responses',
      { model: TEST_MODEL, input: 'hi', max_output_tokens: 3 },
      { 'thread-id': randomUUID() },
    );
    await answer.text();
    expect(answer.headers.get('x-warden-decision')).toBe('unrouted');
    expect(answer.headers.get('x-warden-replica')).toBeNull();
    await eventually(async () => expect((await warden.requests())[0]?.reason).toContain('/v1/responses'));
    expect((await warden.routing()).unpinnable_paths).toContain('/v1/responses');
  });

  it('keeps two clients with one session id apart', async () => {
    const { warden } = await oneUrl();
    const session = randomUUID();
    const ask = async (key: string) => {
      const answer = await warden.post(
        '/v1/chat/completions',
        { model: TEST_MODEL, max_tokens: 2, messages: [{ role: 'user', content: 'x' }] },
        { 'x-session-id': session, authorization: `Bearer ${key}` },
      );
      await answer.text();
      return answer.headers.get('x-warden-decision');
    };
    expect([await ask('alice'), await ask('bob'), await ask('alice'), await ask('bob')]).toEqual([
      'placed',
      'placed',
      'sticky',
      'sticky',
    ]);
  });

  it('routes requests without any key to the least loaded replica, and finds a conversation by its messages', async () => {
    const { warden } = await oneUrl();
    const embedding = await warden.post('/v1/completions', { model: TEST_MODEL, prompt: 'once', max_tokens: 2 });
    await embedding.text();
    expect(embedding.headers.get('x-warden-decision')).toBe('balanced');
    const messages = [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'what is a prefix cache' },
    ];
    const first = await warden.post('/v1/chat/completions', { model: TEST_MODEL, max_tokens: 2, messages });
    await first.text();
    const grown = [...messages, { role: 'assistant', content: 'a cache' }, { role: 'user', content: 'of what' }];
    const second = await warden.post('/v1/chat/completions', { model: TEST_MODEL, max_tokens: 2, messages: grown });
    await second.text();
    expect(first.headers.get('x-warden-session-source')).toBe('message_chain');
    expect(second.headers.get('x-warden-decision')).toBe('sticky');
    expect(second.headers.get('x-warden-replica')).toBe(first.headers.get('x-warden-replica'));
  });
});

describe('a conversation on several URLs', () => {
  it('is placed and stays, on every endpoint, also /v1/responses', async () => {
    const { fleets, warden } = await severalUrls(3);
    const session = randomUUID();
    const first = await turn(warden, session);
    expect(await turn(warden, session)).toMatchObject({ decision: 'sticky', replica: first.replica });
    expect(
      await turn(warden, session, { messages: undefined, input: 'hi', max_tokens: undefined }, '/v1/responses'),
    ).toMatchObject({ decision: 'sticky', replica: first.replica });
    expect(fleets[Number(first.replica)]?.gauges()[0]?.finished).toBe(3);
  });

  it('is chosen by load, not by the engine, while affinity is off', async () => {
    const { warden } = await severalUrls(2);
    await warden.patchRouting({ affinity: false });
    const answer = await turn(warden, randomUUID());
    expect(answer.decision).toBe('unrouted');
    expect(['0', '1']).toContain(answer.replica);
  });

  it('fails over while its home is down and comes home when it is back', async () => {
    const { fleets, warden } = await severalUrls(2);
    const session = randomUUID();
    const home = (await turn(warden, session)).replica;
    await fleets[Number(home)]?.close();
    const away = await turn(warden, session);
    expect(away).toMatchObject({ status: 200, decision: 'failed_over' });
    expect(away.replica).not.toBe(home);
    const { totals, replicas, health } = await warden.routing();
    expect(totals).toMatchObject({ failed_over: 1, spilled: 0, in_flight: 0 });
    expect(replicas[Number(home)]?.health).toBe('down');
    expect(health).toBe('degraded');
    expect(await turn(warden, session)).toMatchObject({ decision: 'failed_over', replica: away.replica });
    // What it last said of itself is no longer so.
    const nothing = { requests_running: null, requests_waiting: null, kv_cache_usage_percent: null };
    await eventually(async () => expect((await warden.routing()).replicas[Number(home)]).toMatchObject(nothing));
  });
});
