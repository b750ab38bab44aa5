import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { StartedFleet } from './fleet-options.ts';
import { eventually, post, readJson, readStream, testFleet, WORDS } from './fleet-testing.ts';

const CHAT = '/v1/chat/completions';
const chat = { model: 'qwen3-4b-dp4', messages: [{ role: 'user', content: WORDS }], max_tokens: 40, ignore_eos: true };
const streamed = { ...chat, stream: true, stream_options: { include_usage: true } };

function tell(fleet: StartedFleet, method: 'POST' | 'DELETE', path: string, body?: object): Promise<Response> {
  if (fleet.controlUrl === null) throw new Error('the fleet has no control port');
  return fetch(`${fleet.controlUrl}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
}

async function faultyFleet(fault: object): Promise<StartedFleet> {
  const fleet = await testFleet({ control: true });
  expect((await tell(fleet, 'POST', '/fault', { count: 1, ...fault })).status).toBe(204);
  return fleet;
}

type Received = { readonly status: number | null; readonly text: string; readonly error: string | null };

/** What reaches a client that keeps every byte that came before the connection broke. */
function receive(fleet: StartedFleet, path: string, body: object): Promise<Received> {
  return new Promise((resolve) => {
    let status: number | null = null;
    let text = '';
    const end = (error: NodeJS.ErrnoException | null) => resolve({ status, text, error: error?.code ?? null });
    const sent = request(`${fleet.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' } });
    sent.once('error', end);
    sent.once('response', (response) => {
      status = response.statusCode ?? null;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', end).once('end', () => end(null));
    });
    sent.end(JSON.stringify(body));
  });
}

const eventsIn = (text: string): number => text.match(/^data: /gm)?.length ?? 0;
const aborted = (fleet: StartedFleet): number => fleet.gauges().reduce((sum, gauge) => sum + gauge.aborted, 0);

describe('a fault', () => {
  it('slow: sends the headers at once and no token before the delay is over', async () => {
    const fleet = await faultyFleet({ kind: 'slow', ms: 600_000 });
    const leaving = new AbortController();
    const response = await post(fleet, CHAT, streamed, { signal: leaving.signal });
    expect(response.status).toBe(200);
    // The next one overtakes it and ends.
    expect((await readStream(await post(fleet, CHAT, streamed))).done).toBe(true);
    expect(fleet.gauges().reduce((sum, gauge) => sum + gauge.finished + gauge.running, 0)).toBe(1);
    leaving.abort();
    await expect(response.text()).rejects.toThrow('abort');
  });

  it('slow: answers in full after the delay', async () => {
    const fleet = await faultyFleet({ kind: 'slow', ms: 20 });
    expect((await readStream(await post(fleet, CHAT, streamed))).done).toBe(true);
  });

  it('full: refuses with 503 in the shape of the path', async () => {
    const fleet = await faultyFleet({ kind: 'full', count: 2 });
    const openAi = await post(fleet, CHAT, streamed);
    expect(openAi.status).toBe(503);
    expect(await openAi.json()).toMatchObject({ error: { type: 'Service Unavailable', param: null, code: 503 } });
    const anthropic = await post(fleet, '/v1/messages', chat);
    expect(anthropic.status).toBe(503);
    expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'Service Unavailable' } });
    expect((await post(fleet, CHAT, chat)).status).toBe(200);
  });

  it('hang: takes the request and never sends a header', async () => {
    const fleet = await faultyFleet({ kind: 'hang' });
    const leaving = new AbortController();
    let answered = 0;
    const ask = async () => {
      await post(fleet, CHAT, chat, { signal: leaving.signal });
      answered += 1;
    };
    // Either may be the one that hangs.
    const both = [ask(), ask()];
    const failed = expect(Promise.all(both)).rejects.toThrow('abort');
    await Promise.race(both);
    expect((await post(fleet, CHAT, chat)).status).toBe(200);
    expect(answered).toBe(1);
    leaving.abort();
    await failed;
  });

  it('refuse: resets the connection before the first byte', async () => {
    const fleet = await faultyFleet({ kind: 'refuse' });
    expect(await receive(fleet, CHAT, chat)).toEqual({ status: null, text: '', error: 'ECONNRESET' });
  });

  it.each([CHAT, '/v1/messages', '/v1/responses', '/v1/completions'])(
    'reset_mid_stream: resets %s after three events, and the replica drops the request',
    async (path) => {
      const fleet = await faultyFleet({ kind: 'reset_mid_stream' });
      const body = { ...streamed, prompt: WORDS, input: WORDS, max_tokens: 4000 };
      const received = await receive(fleet, path, body);
      expect(received).toMatchObject({ status: 200, error: 'ECONNRESET' });
      expect(eventsIn(received.text)).toBe(3);
      await eventually(() => aborted(fleet) === 1);
    },
  );

  it('reset_mid_stream: resets an answer without a stream half-way', async () => {
    const fleet = await faultyFleet({ kind: 'reset_mid_stream' });
    const received = await receive(fleet, CHAT, chat);
    expect(received).toMatchObject({ status: 200, error: 'ECONNRESET' });
    expect(received.text.length).toBeGreaterThan(0);
    expect(() => JSON.parse(received.text)).toThrow();
  });

  it.each([40, 1])('half_stream: ends cleanly without the last events (max_tokens: %i)', async (maxTokens) => {
    const fleet = await faultyFleet({ kind: 'half_stream' });
    const { status, text, error } = await receive(fleet, CHAT, { ...streamed, max_tokens: maxTokens });
    expect([status, error]).toEqual([200, null]);
    expect(eventsIn(text)).toBe(3);
    expect(text).not.toContain('[DONE]');
  });

  it('half_stream: closes an answer without a stream half-way', async () => {
    const fleet = await faultyFleet({ kind: 'half_stream' });
    const { status, text } = await receive(fleet, CHAT, chat);
    expect(status).toBe(200);
    expect(() => JSON.parse(text)).toThrow();
  });

  it('wrong_content_type: answers 200 with a page', async () => {
    const fleet = await faultyFleet({ kind: 'wrong_content_type' });
    const response = await post(fleet, CHAT, streamed);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html']);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  it('usage_null: answers in full without counts', async () => {
    const fleet = await faultyFleet({ kind: 'usage_null', count: null });
    expect(await readJson(await post(fleet, CHAT, chat))).toMatchObject({ object: 'chat.completion', usage: null });
    const { events, done } = await readStream(await post(fleet, CHAT, streamed));
    expect(done).toBe(true);
    expect(events.at(-1)?.data).toMatchObject({ choices: [], usage: null });
    const messages = await readStream(await post(fleet, '/v1/messages', { ...chat, stream: true }));
    expect(messages.events[0]?.data).toMatchObject({ type: 'message_start', message: { usage: null } });
    expect(messages.events.at(-2)?.data).toMatchObject({ type: 'message_delta', usage: null });
    const responses = await readStream(await post(fleet, '/v1/responses', { input: WORDS, stream: true }));
    expect(responses.events.at(-1)?.data).toMatchObject({ type: 'response.completed', response: { usage: null } });
  });
});

describe('the control port', () => {
  it('is not there unless it is asked for', async () => {
    const fleet = await testFleet();
    expect(fleet.controlUrl).toBeNull();
    for (const path of ['/fault', '/restart', '/die']) expect((await post(fleet, path, {})).status).toBe(404);
  });

  it('leaves what generates nothing alone, and stops when it is cleared', async () => {
    const fleet = await faultyFleet({ kind: 'full', count: null });
    expect((await fetch(`${fleet.url}/health`)).status).toBe(200);
    expect((await post(fleet, '/tokenize', { prompt: WORDS })).status).toBe(200);
    for (let n = 0; n < 3; n++) expect((await post(fleet, CHAT, chat)).status).toBe(503);
    expect((await tell(fleet, 'DELETE', '/fault')).status).toBe(204);
    expect((await post(fleet, CHAT, chat)).status).toBe(200);
  });

  it.each([
    ['kind', { kind: 'explode', count: 1 }],
    ['count', { kind: 'full' }],
    ['count', { kind: 'full', count: 0 }],
    ['ms', { kind: 'slow', count: 1 }],
    ['ms', { kind: 'full', count: 1, ms: 5 }],
  ])('names the field that is wrong: %s in %j', async (field, body) => {
    const fleet = await testFleet({ control: true });
    const refused = await tell(fleet, 'POST', '/fault', body);
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { field } }]);
    expect((await post(fleet, CHAT, chat)).status).toBe(200);
  });

  it('die: breaks open streams and refuses connections; restart: brings the port back with empty counters', async () => {
    const fleet = await testFleet({ control: true });
    const open = receive(fleet, CHAT, { ...streamed, max_tokens: 20_000 });
    await eventually(() => fleet.gauges().some(({ running }) => running > 0));
    expect((await tell(fleet, 'POST', '/die')).status).toBe(204);
    expect((await open).error).toBe('ECONNRESET');
    expect(await receive(fleet, CHAT, chat)).toEqual({ status: null, text: '', error: 'ECONNREFUSED' });
    expect((await tell(fleet, 'POST', '/restart')).status).toBe(204);
    expect(fleet.gauges().every(({ finished, generationTokens }) => finished + generationTokens === 0)).toBe(true);
    expect((await post(fleet, CHAT, chat)).status).toBe(200);
  });
});
