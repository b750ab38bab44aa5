import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sessionList } from '#lib/contract/activity.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import {
  eventually,
  startTestWarden,
  TEST_MODEL,
  type TestWarden,
  type TestWardenOptions,
} from './warden-for-tests.ts';

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

async function start(options: Partial<TestWardenOptions> = {}): Promise<{ fleet: SimulatedFleet; warden: TestWarden }> {
  const fleet = await startSimulatedFleet({ speed: 50 });
  const warden = await startTestWarden({ fleets: [fleet], ...options });
  closing.push(fleet, warden);
  return { fleet, warden };
}

const WORDS = 'word '.repeat(600);
const seen = (answer: Response) => ({
  decision: answer.headers.get('x-warden-decision'),
  replica: answer.headers.get('x-warden-replica'),
  source: answer.headers.get('x-warden-session-source'),
});

describe('conversations without an id', () => {
  type Message = { role: string; content: string };
  const ask = async (warden: TestWarden, messages: readonly Message[], key = 'k') => {
    const answer = await warden.post(
      '/v1/chat/completions',
      { model: TEST_MODEL, max_tokens: 6, messages },
      { authorization: `Bearer ${key}` },
    );
    const body = await answer.json();
    return { ...seen(answer), said: { role: 'assistant', content: String(body.choices[0].message.content) } };
  };

  it('are found again whatever they grow by, and those that share a system prompt are kept apart', async () => {
    const { warden } = await start();
    const system = { role: 'system', content: WORDS };
    const threads = ['mend the build', 'write a test', 'explain the cache', 'rename a file'].map((content) => [
      system,
      { role: 'user', content },
    ]);
    const homes: (string | null)[] = [];
    for (const thread of threads) {
      const first = await ask(warden, thread);
      expect(first).toMatchObject({ decision: 'placed', source: 'message_chain' });
      homes.push(first.replica);
      thread.push(first.said, { role: 'user', content: 'go on' });
    }
    expect(new Set(homes).size).toBe(4);
    for (let turn = 0; turn < 3; turn += 1) {
      for (const [index, thread] of threads.entries()) {
        const next = await ask(warden, thread);
        expect(next).toMatchObject({ decision: 'sticky', replica: homes[index] });
        thread.push(next.said, { role: 'user', content: `and then ${turn}` });
      }
    }
  });

  it('of two users do not meet, though they say the same', async () => {
    const { warden } = await start();
    const opening = [{ role: 'user', content: 'hello there' }];
    expect((await ask(warden, opening, 'alice')).decision).toBe('placed');
    expect((await ask(warden, opening, 'bob')).decision).toBe('placed');
  });

  it('that fork are placed where the shared part is cached', async () => {
    const { warden } = await start();
    const opening = [{ role: 'user', content: WORDS }];
    const first = await ask(warden, opening);
    const grown = [...opening, first.said, { role: 'user', content: 'one way' }];
    const second = await ask(warden, grown);
    await ask(warden, [...grown, second.said, { role: 'user', content: 'further' }]);
    const fork = await ask(warden, [...opening, first.said, { role: 'user', content: 'another way' }]);
    expect(fork.replica).toBe(first.replica);
  });
});

describe('prefix hygiene', () => {
  const recording = z.object({ requests: z.array(z.object({ body: z.record(z.string(), z.unknown()) })) });
  const file = new URL('../fixtures/clients/claude-code-2.1.160-cch.json', import.meta.url);
  const bodies = recording.parse(JSON.parse(readFileSync(file, 'utf8'))).requests.map(({ body }) => body);

  /** Sent as a gateway does that translates to chat: there the engine does not drop the line. */
  const secondTurnHit = async (warden: TestWarden): Promise<number> => {
    const shares: number[] = [];
    for (const { system, messages } of bodies) {
      const text = z
        .array(z.object({ text: z.string() }))
        .parse(system)
        .map((block) => block.text)
        .join('\n');
      const flat = z
        .array(z.object({ role: z.string() }).loose())
        .parse(messages)
        .map(({ role, content }) => ({
          role,
          content: JSON.stringify(content, (name, value) => (name === 'cache_control' ? undefined : value)),
        }));
      const answer = await warden.post(
        '/v1/chat/completions',
        { model: TEST_MODEL, max_tokens: 2, messages: [{ role: 'system', content: text }, ...flat] },
        { 'x-session-id': 'one-conversation' },
      );
      const { usage } = await answer.json();
      shares.push(usage.prompt_tokens_details.cached_tokens / usage.prompt_tokens);
    }
    return shares[1] ?? 0;
  };

  it('pins the billing line that changes with every request, so that what follows is found in the cache', async () => {
    const { warden } = await start();
    expect(await secondTurnHit(warden)).toBeGreaterThan(0.8);
    expect((await warden.routing()).pins_billing_line).toBe(true);
  });

  it('can be switched off, and then the console says what spoils the cache', async () => {
    const { warden } = await start({ model: { pin_billing_line: false } });
    expect(await secondTurnHit(warden)).toBeLessThan(0.1);
    const { sessions } = sessionList.parse(await (await fetch(`${warden.url}/api/sessions`)).json());
    expect(sessions[0]?.last_miss).toContain('x-anthropic-billing-header');
  });
});

describe('an engine that restarts', () => {
  it('is waited for: a turn sent while it is away, and one it died under before answering, both complete', async () => {
    const { fleet, warden } = await start();
    const port = Number(new URL(fleet.url).port);
    const turn = (session: string, content: string, max_tokens = 4) =>
      warden.post(
        '/v1/messages',
        { model: TEST_MODEL, max_tokens, messages: [{ role: 'user', content }] },
        { 'x-session-id': session },
      );
    await (await turn('conversation-a', 'hi')).text();
    const dying = turn('conversation-b', 'word '.repeat(60_000), 50);
    await eventually(() => expect(fleet.gauges().some((gauge) => gauge.running > 0)).toBe(true));
    await fleet.close();
    const waiting = turn('conversation-a', 'hi again');
    await eventually(async () => expect((await warden.routing()).waiting_for_engine).toBe(2));
    closing.push(await startSimulatedFleet({ speed: 50, port }));
    expect((await waiting).status).toBe(200);
    expect((await dying).status).toBe(200);
    const { totals, waiting_for_engine } = await warden.routing();
    expect(waiting_for_engine).toBe(0);
    expect(totals.in_flight).toBe(0);
    // Each request is counted once, however often it asked for a place.
    const all = ['placed', 'sticky', 'spilled', 'failed_over', 'client_pinned', 'balanced', 'unrouted'] as const;
    expect(all.reduce((sum, kind) => sum + totals[kind], 0)).toBe(3);
  });

  it('that stays away is a 503 with a retry-after agents honour, and a client that leaves waits no longer', async () => {
    const { fleet, warden } = await start({ config: { limits: { engine_away_seconds: 0.5 } } });
    await fleet.close();
    const answer = await warden.post('/v1/messages', { model: TEST_MODEL, max_tokens: 2, messages: [] });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    const leaving = new AbortController();
    const left = warden
      .post('/v1/messages', { model: TEST_MODEL, max_tokens: 2, messages: [] }, {}, leaving.signal)
      .catch(() => 'left');
    await eventually(async () => expect((await warden.routing()).waiting_for_engine).toBe(1));
    leaving.abort();
    expect(await left).toBe('left');
    await eventually(async () => expect((await warden.routing()).waiting_for_engine).toBe(0));
  });
});

describe('Codex on one URL with ranks', () => {
  const client = (warden: TestWarden, thread: string) =>
    new OpenAI({
      baseURL: `${warden.url}/v1`,
      apiKey: 'dummy',
      maxRetries: 0,
      defaultHeaders: { 'thread-id': thread },
    });

  it('is sent as chat completions, stays on its replica and gets a response, streamed and not', async () => {
    const { fleet, warden } = await start();
    const openai = client(warden, randomUUID());
    const request = { model: TEST_MODEL, input: WORDS, store: false, max_output_tokens: 12 };
    const whole = await openai.responses.create(request);
    expect(whole).toMatchObject({ object: 'response', output: [{ type: 'message' }], usage: { output_tokens: 12 } });
    const streamed = await openai.responses.stream(request).finalResponse();
    expect(streamed.usage?.input_tokens_details.cached_tokens).toBeGreaterThan(500);
    await eventually(async () => {
      const rows = await warden.requests();
      expect(rows.map((row) => row.decision)).toEqual(['sticky', 'placed']);
      expect(rows[0]).toMatchObject({ path: '/v1/responses', outcome: 'ok', completion_tokens: 12 });
    });
    expect(fleet.gauges().filter((gauge) => gauge.finished > 0)).toHaveLength(1);
    expect((await warden.routing()).translates_responses).toBe(true);
  });

  it('passes tool calls through, names and arguments as they are', async () => {
    const { warden } = await start();
    const tools = [
      {
        type: 'function' as const,
        name: 'run',
        strict: false,
        parameters: { type: 'object', properties: { command: { type: 'string' } } },
      },
    ];
    const response = await client(warden, randomUUID()).responses.create({
      model: TEST_MODEL,
      store: false,
      tools,
      input: 'Do it. [[tool:run {"command":"ls"}]]',
    });
    expect(response.output).toMatchObject([{ type: 'function_call', name: 'run', arguments: '{"command":"ls"}' }]);
  });

  it('goes through untouched and unrouted where it cannot be translated, with the reason', async () => {
    const { warden } = await start();
    const answer = await warden.post('/v1/responses', {
      model: TEST_MODEL,
      input: 'hi',
      store: true,
      max_output_tokens: 3,
    });
    await answer.text();
    expect(seen(answer)).toMatchObject({ decision: 'unrouted', replica: null });
    await eventually(async () => expect((await warden.requests())[0]?.reason).toContain('store'));
  });

  it('is left alone where the model says so', async () => {
    const { warden } = await start({ model: { translate_responses: false } });
    const answer = await warden.post('/v1/responses', {
      model: TEST_MODEL,
      input: 'hi',
      store: false,
      max_output_tokens: 3,
    });
    await answer.text();
    expect(seen(answer).decision).toBe('unrouted');
  });

  it('passes errors of the engine on in their own words', async () => {
    const { warden } = await start();
    const answer = await warden.post('/v1/responses', {
      model: TEST_MODEL,
      input: 'hi',
      store: false,
      max_output_tokens: 900_000,
    });
    expect(answer.status).toBe(400);
    expect((await answer.json()).error.message).toContain('max_model_len');
  });
});

describe('draining a replica', () => {
  it('gives it no new conversations and moves those that live there with their next turn', async () => {
    const { warden } = await start();
    const turn = async (session: string) => {
      const answer = await warden.post(
        '/v1/messages',
        { model: TEST_MODEL, max_tokens: 2, messages: [{ role: 'user', content: 'hi' }] },
        { 'x-session-id': session },
      );
      await answer.text();
      return seen(answer);
    };
    const home = (await turn('conversation-a')).replica;
    const drain = (draining: boolean) =>
      fetch(`${warden.url}/api/models/${TEST_MODEL}/replicas/${home}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ draining }),
      });
    expect(await (await drain(true)).json()).toMatchObject({
      replicas: expect.arrayContaining([expect.objectContaining({ replica: Number(home), draining: true })]),
    });
    const moved = await turn('conversation-a');
    expect(moved.replica).not.toBe(home);
    for (let index = 0; index < 8; index += 1) expect((await turn(`conversation-${index}-new`)).replica).not.toBe(home);
    await drain(false);
    expect(await turn('conversation-a')).toMatchObject({ decision: 'sticky', replica: moved.replica });
    const missing = await fetch(`${warden.url}/api/models/${TEST_MODEL}/replicas/9`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"draining":true}',
    });
    expect(missing.status).toBe(404);
  });
});
