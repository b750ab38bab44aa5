import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';
import { BLOCK_SIZE, MAX_NUM_SEQS } from './engine.ts';
import { growth, longText, MODEL, newSession, readMetrics, turn, userSays } from './product.ts';

const url = inject('oneUrl');
let warden: TestWarden;
beforeAll(async () => {
  warden = await startTestWarden({ fleets: [{ url }], model: MODEL });
});
afterAll(() => warden.close());

const CHAT = '/v1/chat/completions';
const pinned = (path: string, rank: string, body: object): Promise<Response> =>
  warden.post(path, { model: TEST_MODEL, ...body }, { 'x-data-parallel-rank': rank });

describe('discovery of one URL with two ranks', () => {
  it('finds ranks, version, limits and cache size, and misses nothing', async () => {
    const { engine, replicas, health, ...state } = await warden.routing();
    expect(health).toBe('up');
    expect(engine.version).toMatch(/^0\.\d+/);
    expect(engine.not_reported).toEqual([]);
    expect(state).toMatchObject({ max_num_seqs: MAX_NUM_SEQS, max_num_seqs_source: 'engine', spill_threshold: 1 });
    expect(replicas.map(({ rank }) => rank)).toEqual([0, 1]);
    for (const replica of replicas) {
      expect(replica).toMatchObject({ kv_capacity_tokens: 256 * BLOCK_SIZE, requests_running: 0, requests_waiting: 0 });
      expect(replica.kv_cache_usage_percent).toBe(0);
    }
  });
});

describe('the pin', () => {
  it.each([
    [CHAT, { messages: userSays('pin me'), max_tokens: 2 }],
    ['/v1/completions', { prompt: 'pin me', max_tokens: 2 }],
    ['/v1/messages', { messages: userSays('pin me'), max_tokens: 2 }],
  ])('is honoured on %s', async (path, body) => {
    for (const rank of [0, 1]) {
      const before = await readMetrics(url);
      const answer = await pinned(path, String(rank), body);
      await answer.text();
      expect(answer.headers.get('x-warden-replica')).toBe(String(rank));
      const grown = growth(before, await readMetrics(url), 'promptTokens');
      expect(grown[rank]).toBeGreaterThan(0);
      expect(grown[1 - rank]).toBe(0);
    }
  });

  it('is ignored on /v1/responses: an impossible rank is no error there, so the product says unrouted', async () => {
    const body = { input: 'hello', max_output_tokens: 2 };
    const direct = await fetch(`${url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-data-parallel-rank': '7' },
      body: JSON.stringify({ model: 'tiny', ...body }),
    });
    expect(direct.status).toBe(200);
    await direct.text();
    const answer = await turn(warden, newSession(), { ...body, messages: undefined }, '/v1/responses');
    expect(answer).toMatchObject({ status: 200, decision: 'unrouted', replica: null });
    await eventually(async () => expect((await warden.requests())[0]?.reason).toContain('/v1/responses'));
  });
});

describe('a conversation', () => {
  it('is served from the cache of its home, and no other replica sees it', async () => {
    const session = newSession();
    const messages = userSays(longText(session, 60));
    const before = await readMetrics(url);
    const first = await turn(warden, session, { messages });
    const grown = [...messages, { role: 'assistant', content: 'noted' }, ...userSays('go on')];
    const second = await turn(warden, session, { messages: grown });
    expect([first.decision, second.decision]).toEqual(['placed', 'sticky']);
    expect(second.replica).toBe(first.replica);
    const after = await readMetrics(url);
    const home = first.replica ?? -1;
    expect(growth(before, after, 'cachedTokens')[home]).toBeGreaterThan(300);
    expect(growth(before, after, 'promptTokens')[1 - home]).toBe(0);
    await eventually(async () => {
      const [newest] = await warden.requests();
      expect(newest).toMatchObject({ decision: 'sticky', cached_tokens: growth(before, after, 'cachedTokens')[home] });
    });
  });

  it('is placed beside another, not on it', async () => {
    const turns = [];
    for (let index = 0; index < 4; index += 1) turns.push(await turn(warden, newSession()));
    expect(new Set(turns.map(({ replica }) => replica)).size).toBe(2);
  });
});

describe('a client that leaves', () => {
  it.each([true, false])('ends the work in the engine (streamed: %s)', async (stream) => {
    const before = await readMetrics(url);
    const leaving = new AbortController();
    const body = { model: TEST_MODEL, stream, max_tokens: 3500, ignore_eos: true, messages: userSays('for ever') };
    const headers = { 'x-claude-code-session-id': newSession() };
    const answer = warden.post(CHAT, body, headers, leaving.signal).catch(() => null);
    await eventually(async () =>
      expect((await readMetrics(url)).ranks.some(({ running }) => running === 1)).toBe(true),
    );
    leaving.abort();
    await answer;
    await eventually(async () => {
      expect((await readMetrics(url)).ranks.map(({ running, waiting }) => [running, waiting])).toEqual([
        [0, 0],
        [0, 0],
      ]);
    }, 10_000);
    // It ended long before its 3,500 tokens. (vLLM 0.32 counts it nowhere: `finished_reason="abort"` stays at 0.)
    const after = await readMetrics(url);
    expect(Math.max(...growth(before, after, 'generationTokens'))).toBeLessThan(3400);
    expect(growth(before, after, 'finishedRequests')).toEqual([0, 0]);
    await eventually(async () => {
      expect((await warden.routing()).totals.in_flight).toBe(0);
      expect((await warden.requests())[0]?.outcome).toBe('client_left');
    });
  });
});

describe('an error of the engine', () => {
  const tooLong = { messages: userSays('word '.repeat(6000)), max_tokens: 4 };

  it('reaches the client as the engine wrote it, in the shape of the API', async () => {
    const chat = await pinned(CHAT, '0', tooLong);
    expect(chat.status).toBe(400);
    expect(await chat.json()).toMatchObject({ error: { type: 'BadRequestError', code: 400 } });
    const messages = await pinned('/v1/messages', '0', tooLong);
    expect(messages.status).toBe(400);
    expect(await messages.json()).toMatchObject({ type: 'error', error: { type: 'BadRequestError' } });
  });

  it('counts as an error of the engine, and leaves nothing in flight', async () => {
    await (await pinned(CHAT, '1', tooLong)).text();
    await eventually(async () => {
      expect((await warden.requests())[0]).toMatchObject({ status: 400, prompt_tokens: null });
      expect((await warden.routing()).totals.in_flight).toBe(0);
    });
  });
});

describe('an idle connection', () => {
  it('is closed by the engine after more than the 4 s for which the product keeps it', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /health HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    const answeredAt = Date.now();
    await new Promise((resolve) => socket.once('close', resolve));
    const idleMs = Date.now() - answeredAt;
    expect(idleMs).toBeGreaterThan(4000);
    expect(idleMs).toBeLessThan(15_000);
  });

  it('does not fail the request that comes just when the engine closes it', async () => {
    const session = newSession();
    for (const pauseMs of [4900, 5000, 5100]) {
      await turn(warden, session);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      expect((await turn(warden, session)).status).toBe(200);
    }
  });
});
