import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpServer } from './http/http-server.ts';
import { startOddEngine } from './odd-engine-for-tests.ts';
import { rawClient, rawRequest } from './raw-client-for-tests.ts';
import { eventually, startTestWarden, TEST_MODEL } from './warden-for-tests.ts';

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

/** The server as the product has it, but with less patience. */
async function impatientServer(headMs = 200): Promise<string> {
  const { server, drain } = createHttpServer({ headMs, requestMs: 2 * headMs, checkMs: 50 });
  server.on('request', (req, res) => req.resume().on('end', () => res.end('done')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push({ close: () => drain(0) });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a client that sends slowly', () => {
  it('is told 408 and cut off where its head does not end', async () => {
    const client = await rawClient(await impatientServer());
    client.write('POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\n');
    const drip = setInterval(() => client.write('x-a: b\r\n'), 20);
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
  });

  it('is cut off where its body does not end', async () => {
    const client = await rawClient(await impatientServer());
    client.write('POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\n');
    const drip = setInterval(() => client.write('x'), 20);
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(drip);
  });

  it('is cut off where it never sends anything, as many of them as there are', async () => {
    // Long enough for the head of the one that does send something to arrive among them on a busy machine.
    const url = await impatientServer(2000);
    const clients = await Promise.all(Array.from({ length: 200 }, () => rawClient(url)));
    const answer = await fetch(url);
    expect(await answer.text()).toBe('done');
    await Promise.all(clients.map((client) => client.closed()));
  });
});

/** An engine that streams as fast as it is read from, and says how much went out. */
async function fastEngine(limits: object = {}) {
  const state = { sent: 0, closed: 0 };
  const chunk = Buffer.from(`data: ${JSON.stringify({ text: 'x'.repeat(65_000) })}\n\n`);
  const pump = (res: ServerResponse): void => {
    let goesOn = true;
    while (goesOn && !res.destroyed) {
      goesOn = res.write(chunk);
      state.sent += chunk.length;
    }
    res.once('drain', () => pump(res));
  };
  const { engine } = await startOddEngine((_req, res) => {
    res.on('close', () => {
      state.closed += 1;
    });
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    pump(res);
  });
  const warden = await startTestWarden({ fleets: [engine], config: { limits } });
  closing.push(engine, warden);
  return { state, warden };
}

const STREAM = JSON.stringify({ model: TEST_MODEL, stream: true, messages: [] });

describe('a client that stops reading', () => {
  it('stops the engine too: what is held for it is bounded', async () => {
    const { state, warden } = await fastEngine();
    const client = await rawClient(warden.url);
    client.socket.pause();
    client.write(rawRequest('/v1/messages', STREAM));
    await eventually(() => expect(state.sent).toBeGreaterThan(1_000_000));
    let before = -1;
    while (state.sent !== before) {
      before = state.sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(state.sent).toBeLessThan(64_000_000);
    expect((await warden.routing()).totals.in_flight).toBe(1);
    client.socket.resume();
    await eventually(() => expect(state.sent).toBeGreaterThan(before + 10_000_000));
    client.socket.destroy();
    await eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(0));
    await eventually(() => expect(state.closed).toBe(1));
  });

  it('is cut off when it has not read for as long as a silence is borne', async () => {
    const { state, warden } = await fastEngine({ body_timeout_seconds: 0.3 });
    const client = await rawClient(warden.url);
    client.socket.pause();
    client.write(rawRequest('/v1/messages', STREAM));
    await eventually(() => expect(state.closed).toBe(1));
    await eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(0));
    await eventually(async () => expect((await warden.requests())[0]).toMatchObject({ outcome: 'client_left' }));
  });
});
