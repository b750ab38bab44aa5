import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startOddEngine } from './odd-engine-for-tests.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL } from './warden-for-tests.ts';

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

const messages = [{ role: 'user', content: 'hi' }];

describe('limits', () => {
  it('refuse a body beyond the configured size, told by content-length or found while reading', async () => {
    const fleet = await startSimulatedFleet({ speed: 50 });
    const warden = await startTestWarden({ fleets: [fleet], config: { limits: { max_body_mb: 0.01 } } });
    closing.push(fleet, warden);
    const big = JSON.stringify({ model: TEST_MODEL, messages: [{ role: 'user', content: 'x'.repeat(20_000) }] });
    expect((await warden.post('/v1/messages', big)).status).toBe(413);
    const chunked = await fetch(`${warden.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect(await chunked.json()).toMatchObject({ error: { message: expect.stringContaining('max_body_mb') } });
  });
});

describe('an engine that is away', () => {
  it('is a 503 in the caller’s shape with a short retry-after, and is taken up again when it is back', async () => {
    const fleet = await startSimulatedFleet({ speed: 50 });
    const port = Number(new URL(fleet.url).port);
    const warden = await startTestWarden({ fleets: [fleet], config: { limits: { engine_away_seconds: 0 } } });
    closing.push(warden);
    await fleet.close();
    const answer = await warden.post('/v1/messages', { model: TEST_MODEL, max_tokens: 2, messages });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
    expect((await fetch(`${warden.url}/readyz`)).status).toBe(503);
    expect((await warden.routing()).engine).toMatchObject({
      available: false,
      error: expect.stringContaining('connection'),
    });
    closing.push(await startSimulatedFleet({ speed: 50, port }));
    await eventually(async () => {
      const again = await warden.post('/v1/messages', { model: TEST_MODEL, max_tokens: 2, messages });
      await again.text();
      expect(again.status).toBe(200);
    }, 10_000);
    expect((await warden.routing()).totals.in_flight).toBe(0);
  });
});

describe('headers', () => {
  it('of one hop stop here, in both directions, and a client cannot delete ours with a Connection list', async () => {
    const { engine, seen } = await startOddEngine((_req, res) => {
      res.writeHead(200, {
        'content-type': 'application/json',
        connection: 'close, x-hop',
        'x-hop': '1',
        'set-cookie': 'a=b',
        'x-kept': 'yes',
        'retry-after': '300',
      });
      res.end('{}');
    });
    const warden = await startTestWarden({ fleets: [engine], model: { api_key: 'engine-key' } });
    closing.push(engine, warden);
    const { hostname, port } = new URL(warden.url);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify({ model: TEST_MODEL, messages });
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close, x-drop-me, x-data-parallel-rank, authorization\r\nx-drop-me: 1\r\nx-keep-me: 2\r\ncookie: c=1\r\nauthorization: Bearer client-key\r\nte: trailers\r\n\r\n${body}`,
    );
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text));
    });
    expect(seen[0]).toMatchObject({ 'x-keep-me': '2', authorization: 'Bearer engine-key' });
    expect(seen[0]?.['x-data-parallel-rank']).toMatch(/^[01]$/);
    for (const name of ['x-drop-me', 'cookie', 'te', 'x-api-key']) expect(seen[0]).not.toHaveProperty(name);
    const head = answer.slice(0, answer.indexOf('\r\n\r\n')).toLowerCase();
    expect(head).toContain('x-kept: yes');
    expect(head).toContain('retry-after: 60');
    expect(head).not.toContain('set-cookie');
    expect(head).not.toContain('x-hop');
  });

  it('carry an x-api-key to the engine as the Bearer that vLLM reads, where no key is configured', async () => {
    const { engine, seen } = await startOddEngine((_req, res) => res.end('{}'));
    const warden = await startTestWarden({ fleets: [engine] });
    closing.push(engine, warden);
    await warden.post('/v1/messages', { model: TEST_MODEL, messages }, { 'x-api-key': 'abc' });
    expect(seen[0]).toMatchObject({ authorization: 'Bearer abc' });
    expect(seen[0]).not.toHaveProperty('x-api-key');
  });
});

describe('an engine that breaks off', () => {
  it('before any answer is asked once more, then is a 502', async () => {
    const { engine, seen } = await startOddEngine((req) => req.socket.resetAndDestroy());
    const warden = await startTestWarden({ fleets: [engine] });
    closing.push(engine, warden);
    const answer = await warden.post('/v1/messages', { model: TEST_MODEL, messages });
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    expect(seen).toHaveLength(2);
    expect((await warden.routing()).totals.in_flight).toBe(0);
  });

  it('in the middle of a stream cuts the client’s too, and is asked nothing again', async () => {
    const { engine, seen } = await startOddEngine((req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write('data: {"choices":[]}\n\n', () => req.socket.resetAndDestroy());
    });
    const warden = await startTestWarden({ fleets: [engine] });
    closing.push(engine, warden);
    const answer = await warden.post('/v1/chat/completions', { model: TEST_MODEL, stream: true, messages });
    await expect(answer.text()).rejects.toThrow();
    expect(seen).toHaveLength(1);
    await eventually(async () => expect((await warden.requests())[0]).toMatchObject({ outcome: 'upstream_failed' }));
    expect((await warden.routing()).totals.in_flight).toBe(0);
  });

  it('inside a 200 stream with an error event, counts as the engine’s error', async () => {
    const { engine } = await startOddEngine((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end('data: {"error":{"message":"boom","code":500}}\n\ndata: [DONE]\n\n');
    });
    const warden = await startTestWarden({ fleets: [engine] });
    closing.push(engine, warden);
    await (await warden.post('/v1/chat/completions', { model: TEST_MODEL, stream: true, messages })).text();
    await eventually(async () =>
      expect((await warden.requests())[0]).toMatchObject({ outcome: 'engine_error', status: 200 }),
    );
  });
});
