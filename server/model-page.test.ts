import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { inFlightList } from '#lib/contract/activity.ts';
import { modelAdvice } from '#lib/contract/advice.ts';
import { modelList } from '#lib/contract/models.ts';
import type { SimulatedFleetOptions } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

async function start(options: SimulatedFleetOptions = {}): Promise<TestWarden> {
  const fleet = await startSimulatedFleet({ replicas: 2, speed: 50, ...options });
  closing.push(fleet);
  const warden = await startTestWarden({ fleets: [fleet] });
  closing.push(warden);
  return warden;
}

async function read<T>(warden: TestWarden, part: string, contract: z.ZodType<T>): Promise<T> {
  const answer = await fetch(`${warden.url}/api/models/${TEST_MODEL}/${part}`);
  expect(answer.status).toBe(200);
  return contract.parse(await answer.json());
}

const words = (amount: number) => `${'a secret prompt '.repeat(amount)}`;

describe('the requests in flight', () => {
  it('are the leases that the router holds, with where each went, and no prompt', async () => {
    const warden = await start({ speed: 1 });
    const leaving = new AbortController();
    const session = randomUUID();
    const answer = await warden.post(
      '/v1/chat/completions',
      { model: TEST_MODEL, max_tokens: 500, stream: true, messages: [{ role: 'user', content: words(20) }] },
      { 'x-session-id': session, 'user-agent': 'my-agent/1.0' },
      leaving.signal,
    );
    const list = await eventually(async () => {
      const now = await read(warden, 'in-flight', inFlightList);
      expect(now.requests).toMatchObject([{ state: 'streaming' }]);
      expect(Date.parse(now.time)).toBeGreaterThanOrEqual(Date.parse(now.requests[0]?.started_at ?? ''));
      return now;
    });
    const { sessions } = await (await fetch(`${warden.url}/api/sessions`)).json();
    expect(list.requests).toMatchObject([
      {
        decision: 'placed',
        replica: Number(answer.headers.get('x-warden-replica')),
        session: sessions[0].key,
        side: false,
      },
    ]);
    expect(list.requests[0]?.client).toContain('my-agent');
    expect(JSON.stringify(list)).not.toContain('secret');
    expect(JSON.stringify(list)).not.toContain(session);
    expect((await warden.routing()).totals.in_flight).toBe(list.requests.length);

    leaving.abort();
    await eventually(async () => expect((await read(warden, 'in-flight', inFlightList)).requests).toEqual([]));
  });

  it('wait until the first byte of their answer', async () => {
    const warden = await start({ speed: 0.2 });
    const leaving = new AbortController();
    const answer = warden
      .post(
        '/v1/chat/completions',
        { model: TEST_MODEL, max_tokens: 5, messages: [{ role: 'user', content: words(2000) }] },
        {},
        leaving.signal,
      )
      .catch(() => null);
    await eventually(async () => {
      const { requests } = await read(warden, 'in-flight', inFlightList);
      expect(requests).toMatchObject([{ state: 'waiting', first_byte_at: null, session: expect.anything() }]);
    });
    leaving.abort();
    await answer;
  });
});

describe('the advice', () => {
  it('names the client that sends no session key, once there are requests enough, and points nowhere before', async () => {
    const warden = await start();
    const ask = () =>
      warden.post(
        '/v1/completions',
        { model: TEST_MODEL, prompt: `q ${randomUUID()}`, max_tokens: 1 },
        { 'user-agent': 'nightly-job/1.0' },
      );
    for (let sent = 0; sent < 29; sent += 1) await (await ask()).text();
    await eventually(async () => expect((await read(warden, 'advice', modelAdvice)).requests).toBe(29));
    expect((await read(warden, 'advice', modelAdvice)).advice).toEqual([]);
    await (await ask()).text();
    await eventually(async () => {
      const { advice } = await read(warden, 'advice', modelAdvice);
      expect(advice).toMatchObject([
        { code: 'no_session_key', without: 30, requests: 30, client: expect.stringContaining('nightly-job') },
      ]);
    });
  });

  it('says that the engine keeps its cached tokens to itself, and how to have them told', async () => {
    const warden = await start({ promptTokensDetails: false });
    for (let turn = 0; turn < 5; turn += 1) {
      const body = { model: TEST_MODEL, max_tokens: 1, messages: [{ role: 'user', content: 'hello' }] };
      await (await warden.post('/v1/chat/completions', body, { 'x-session-id': 'one' })).text();
    }
    await eventually(async () => {
      const { advice } = await read(warden, 'advice', modelAdvice);
      expect(advice).toMatchObject([{ code: 'cached_not_reported', requests: 5, measured_percent: 0 }]);
    });
  });
});

describe('the overview', () => {
  it('says of a model what its page says, and which of its replicas are drained', async () => {
    const warden = await start();
    const session = { 'x-session-id': randomUUID() };
    for (let turn = 0; turn < 2; turn += 1) {
      const body = { model: TEST_MODEL, max_tokens: 3, messages: [{ role: 'user', content: words(100) }] };
      await (await warden.post('/v1/chat/completions', body, session)).text();
    }
    await fetch(`${warden.url}/api/models/${TEST_MODEL}/replicas/1`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ draining: true }),
    });
    await eventually(async () => {
      const { models } = modelList.parse(await (await fetch(`${warden.url}/api/models`)).json());
      const routing = await warden.routing();
      expect(models[0]).toMatchObject({ origin: 'file', requests_1h: 2, live_sessions: 1, replicas_up: 2 });
      expect(models[0]?.replicas.map((replica) => replica.draining)).toEqual([false, true]);
      expect(models[0]?.kv_capacity_tokens).toBe(
        routing.replicas.reduce((sum, replica) => sum + (replica.kv_capacity_tokens ?? 0), 0),
      );
      expect(models[0]?.typical_context_tokens).toBeGreaterThan(300);
      expect(models[0]?.cache_hit_percent_series.at(-1)).toBe(models[0]?.cache_hit_percent_1h);
      expect(models[0]?.ttfb_p50_seconds_15m).not.toBeNull();
    });
  });
});
