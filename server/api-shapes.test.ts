import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

let fleet: SimulatedFleet;
let warden: TestWarden;
beforeAll(async () => {
  fleet = await startSimulatedFleet({ replicas: 2, speed: 50, seed: 7 });
  warden = await startTestWarden({ fleets: [fleet], model: { aliases: ['claude-*'] } });
});
afterAll(async () => {
  await warden.close();
  await fleet.close();
});

const prompt = 'word '.repeat(300);
const messages = [{ role: 'user', content: prompt }];
const SHAPES = [
  ['chat completions', '/v1/chat/completions', { messages, max_tokens: 5 }],
  [
    'chat completions, streamed',
    '/v1/chat/completions',
    { messages, max_tokens: 5, stream: true, stream_options: { include_usage: true } },
  ],
  ['completions', '/v1/completions', { prompt, max_tokens: 5 }],
  [
    'chat completions, streamed without asking for usage',
    '/v1/chat/completions',
    { messages, max_tokens: 5, stream: true },
  ],
  [
    'completions, streamed',
    '/v1/completions',
    { prompt, max_tokens: 5, stream: true, stream_options: { include_usage: true } },
  ],
  [
    'completions, streamed and usage declined',
    '/v1/completions',
    { prompt, max_tokens: 5, stream: true, stream_options: { include_usage: false } },
  ],
  ['messages', '/v1/messages', { messages, max_tokens: 5 }],
  ['messages, streamed', '/v1/messages', { messages, max_tokens: 5, stream: true }],
  ['responses', '/v1/responses', { input: prompt, max_output_tokens: 5 }],
  ['responses, streamed', '/v1/responses', { input: prompt, max_output_tokens: 5, stream: true }],
] as const;

async function rowOf(id: string) {
  return eventually(async () => {
    const row = (await warden.requests()).find((request) => request.id === id);
    if (row === undefined) throw new Error(`no row for ${id} yet`);
    return row;
  });
}

describe('cached and computed tokens', () => {
  it.each(SHAPES)('are those that the engine reports: %s', async (_name, path, body) => {
    const session = randomUUID();
    const ask = async () => {
      const answer = await warden.post(
        path,
        { model: TEST_MODEL, ...body },
        { 'x-session-id': session, 'x-data-parallel-rank': '1' },
      );
      expect(answer.status).toBe(200);
      await answer.text();
      return rowOf(answer.headers.get('x-request-id') ?? '');
    };
    const before = fleet.gauges();
    const rows = [await ask(), await ask()];
    const grown = fleet.gauges().map((gauge, rank) => ({
      cached: gauge.cachedTokens - (before[rank]?.cachedTokens ?? 0),
      computed: gauge.computedTokens - (before[rank]?.computedTokens ?? 0),
      completion: gauge.generationTokens - (before[rank]?.generationTokens ?? 0),
    }));
    const total = (pick: (item: (typeof grown)[number]) => number) => grown.reduce((sum, item) => sum + pick(item), 0);
    const recorded = (pick: (row: (typeof rows)[number]) => number | null) =>
      rows.reduce((sum, row) => sum + (pick(row) ?? Number.NaN), 0);
    expect(recorded((row) => row.cached_tokens)).toBe(total((item) => item.cached));
    expect(recorded((row) => (row.prompt_tokens ?? Number.NaN) - (row.cached_tokens ?? Number.NaN))).toBe(
      total((item) => item.computed),
    );
    expect(recorded((row) => row.completion_tokens)).toBe(total((item) => item.completion));
    expect(rows.every((row) => row.outcome === 'ok' && row.ttfb_seconds !== null)).toBe(true);
  });
});

describe('an answer', () => {
  it.each(SHAPES)('is the engine’s own, byte for byte: %s', async (_name, path, body) => {
    const headers = {
      'content-type': 'application/json',
      'x-request-id': `same-${randomUUID()}`,
      'x-data-parallel-rank': '0',
    };
    const ask = async (base: string) => {
      const answer = await fetch(base + path, {
        method: 'POST',
        headers,
        body: JSON.stringify({ model: TEST_MODEL, seed: 3, ...body }),
      });
      return { type: answer.headers.get('content-type'), text: stable(await answer.text()) };
    };
    await ask(fleet.url);
    const direct = await ask(fleet.url);
    expect(await ask(warden.url)).toEqual(direct);
  });

  it('reaches the engine under the name it serves when a client asks for an alias', async () => {
    const answer = await warden.post('/v1/messages?beta=true', {
      model: 'claude-haiku-4-5-20251001',
      messages,
      max_tokens: 3,
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ model: TEST_MODEL });
  });

  it('to count_tokens places nothing', async () => {
    const before = (await warden.routing()).totals.placed;
    const answer = await warden.post(
      '/v1/messages/count_tokens',
      { model: TEST_MODEL, messages },
      { 'x-claude-code-session-id': randomUUID() },
    );
    expect(await answer.json()).toMatchObject({ input_tokens: expect.any(Number) });
    expect((await warden.routing()).totals.placed).toBe(before);
  });

  it('to GET /v1/models lists names in the shape of the caller', async () => {
    const openai = await (await fetch(`${warden.url}/v1/models`)).json();
    expect(openai).toMatchObject({ object: 'list', data: [{ id: TEST_MODEL, max_model_len: 131_072 }] });
    const anthropic = await (
      await fetch(`${warden.url}/v1/models?limit=1000`, { headers: { 'anthropic-version': '2023-06-01' } })
    ).json();
    expect(anthropic).toMatchObject({ data: [{ type: 'model', id: TEST_MODEL }], has_more: false });
  });
});

describe('an error', () => {
  it('of the engine passes unchanged, status and wording', async () => {
    const body = { model: TEST_MODEL, messages, max_tokens: 500_000 };
    const direct = await fetch(`${fleet.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const routed = await warden.post('/v1/chat/completions', body);
    expect(direct.status).toBe(400);
    expect([routed.status, await routed.text()]).toEqual([direct.status, await direct.text()]);
  });

  it.each([
    ['a body that is no JSON', '/v1/chat/completions', '{"model": "x", ', 400, /not a JSON object/],
    ['a body that is no object', '/v1/chat/completions', '[1]', 400, /not a JSON object/],
    ['no model', '/v1/chat/completions', '{"messages": []}', 400, /names no model/],
    ['a model that is no string', '/v1/messages', '{"model": 7}', 400, /names no model/],
    ['an unknown model', '/v1/chat/completions', '{"model": "gpt-none"}', 404, /gpt-none.*qwen3-4b-dp4/],
    ['an unknown path', '/v1/load_lora_adapter', '{"model": "x"}', 404, /does not forward \/v1\/load_lora_adapter/],
    ['a path in disguise', '/v1//messages', '{"model": "x"}', 404, /does not forward/],
  ])('of ours says what is wrong: %s', async (_name, path, body, status, message) => {
    const answer = await warden.post(path, body);
    expect(answer.status).toBe(status);
    const { error } = await answer.json();
    expect(error.message).toMatch(message);
  });

  it('of ours has the shape of the API that was called', async () => {
    const openai = await (await warden.post('/v1/chat/completions', '{}')).json();
    expect(openai).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param: 'model', code: 'invalid_body' },
    });
    const anthropic = await (await warden.post('/v1/messages', '{}')).json();
    expect(anthropic).toEqual({ type: 'error', error: { type: 'invalid_request_error', message: expect.any(String) } });
  });

  it('of ours for a GET on an endpoint that takes POST is a 405', async () => {
    expect((await fetch(`${warden.url}/v1/messages`)).status).toBe(405);
  });
});

/**
 * Times and ids made anew for each answer are not what is compared. Nor is where the engine puts its fingerprint: on the
 * last chunk that it sends, which is the usage chunk where we ask for one.
 */
function stable(text: string): string {
  return text
    .replace(/,"system_fingerprint":"[^"]*"/g, '')
    .replace(/"(created|created_at|completed_at)":\s*[\d.]+/g, '"$1":0')
    .replace(/"((?:item_|response_)?id|signature)":\s*"[^"]*"/g, '"$1":"-"');
}
