import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OddEngine, startOddEngine } from './odd-engine-for-tests.ts';
import { type RawClient, rawClient, rawRequest } from './raw-client-for-tests.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

let odd: OddEngine;
let warden: TestWarden;
let open = 0;
beforeAll(async () => {
  odd = await startOddEngine((_req, res, body) => {
    open += 1;
    res.on('close', () => {
      open -= 1;
    });
    const { prompt } = JSON.parse(body.toString());
    if (prompt === 'silence') return;
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    if (prompt === 'head') res.flushHeaders();
    else res.write('data: {"choices":[{"text":"first"}]}\n\n');
  });
  warden = await startTestWarden({ fleets: [odd.engine] });
});
afterAll(async () => {
  await warden.close();
  await odd.engine.close();
});

const request = (prompt: string): string =>
  rawRequest('/v1/completions', JSON.stringify({ model: TEST_MODEL, stream: true, prompt }));
const working = (count: number) => eventually(() => expect(open).toBe(count));

/** How far a request gets before its client leaves. */
const STAGES: readonly (readonly [string, (client: RawClient) => Promise<unknown>])[] = [
  ['before it says anything', async () => {}],
  ['in the middle of the head', async (client) => client.write('POST /v1/mess')],
  ['in the middle of the body', async (client) => client.write(request('silence').slice(0, -5))],
  [
    'before an answer',
    async (client) => {
      client.write(request('silence'));
      await working(1);
    },
  ],
  [
    'after the head of the answer',
    async (client) => {
      client.write(request('head'));
      await client.until('\r\n\r\n');
    },
  ],
  [
    'in the middle of a stream',
    async (client) => {
      client.write(request('stream'));
      await client.until('first');
    },
  ],
  [
    'with a second request waiting behind a stream',
    async (client) => {
      client.write(request('stream') + request('silence'));
      await client.until('first');
      await working(2);
    },
  ],
];

const LEAVING: readonly (readonly [string, (client: RawClient) => void])[] = [
  ['closes', (client) => void client.socket.destroy()],
  ['resets', (client) => void client.socket.resetAndDestroy()],
  ['closes its half of', (client) => void client.socket.end()],
];

describe.each(STAGES)('a client that leaves %s', (_stage, arrive) => {
  it.each(LEAVING)('and %s the connection, leaves nothing behind', async (_way, leave) => {
    const client = await rawClient(warden.url);
    await arrive(client);
    leave(client);
    await client.closed();
    await working(0);
    await eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(0));
  });
});
