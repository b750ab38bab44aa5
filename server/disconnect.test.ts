import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

let fleet: SimulatedFleet;
let warden: TestWarden;
beforeEach(async () => {
  fleet = await startSimulatedFleet({ speed: 1 });
  warden = await startTestWarden({ fleets: [fleet] });
});
afterEach(async () => {
  await warden.close();
  await fleet.close();
});

const sum = (pick: (gauge: ReturnType<SimulatedFleet['gauges']>[number]) => number): number =>
  fleet.gauges().reduce((total, gauge) => total + pick(gauge), 0);

/** Starts a request that would run for a long time, and gives what leaves it. */
function start(body: object): { leave: () => void; answer: Promise<Response | null> } {
  const leaving = new AbortController();
  const answer = warden
    .post(
      '/v1/messages',
      { model: TEST_MODEL, max_tokens: 4000, ...body },
      { 'x-claude-code-session-id': randomUUID() },
      leaving.signal,
    )
    .catch(() => null);
  return { leave: () => leaving.abort(), answer };
}

async function expectNothingLeft(aborted: number): Promise<void> {
  await eventually(async () => expect((await warden.routing()).totals.in_flight).toBe(0), 1_000);
  await eventually(() => {
    expect(sum((gauge) => gauge.aborted)).toBe(aborted);
    expect(sum((gauge) => gauge.running + gauge.waiting)).toBe(0);
  });
}

const short = [{ role: 'user', content: 'go on for ever' }];
const long = [{ role: 'user', content: 'word '.repeat(60_000) }];

describe('a client that leaves', () => {
  it('in the middle of a stream, frees its place and ends the work of the engine', async () => {
    const { leave, answer } = start({ stream: true, messages: short });
    const reader = (await answer)?.body?.getReader();
    await reader?.read();
    await eventually(() => expect(sum((gauge) => gauge.running)).toBe(1));
    leave();
    await expectNothingLeft(1);
    await eventually(async () =>
      expect((await warden.requests())[0]).toMatchObject({ outcome: 'client_left', status: 200 }),
    );
  });

  it('before the first byte, in a long prefill', async () => {
    const { leave } = start({ stream: true, messages: long });
    await eventually(() => expect(sum((gauge) => gauge.running)).toBe(1));
    leave();
    await expectNothingLeft(1);
  });

  it('from a request without streaming, of which no header has come yet', async () => {
    const { leave } = start({ messages: short });
    await eventually(() => expect(sum((gauge) => gauge.running)).toBe(1));
    leave();
    await expectNothingLeft(1);
    await eventually(async () =>
      expect((await warden.requests())[0]).toMatchObject({ outcome: 'client_left', status: 499, ttfb_seconds: null }),
    );
  });

  it('while queued in the engine', async () => {
    const session = randomUUID();
    const leaving = new AbortController();
    await warden.patchRouting({ spill_threshold: 100 });
    const all = Array.from({ length: 40 }, () =>
      warden
        .post(
          '/v1/messages',
          { model: TEST_MODEL, max_tokens: 4000, stream: true, messages: short },
          { 'x-claude-code-session-id': session },
          leaving.signal,
        )
        .catch(() => null),
    );
    await eventually(() => expect(sum((gauge) => gauge.waiting)).toBe(8));
    leaving.abort();
    await expectNothingLeft(40);
    await Promise.all(all);
  });

  it('before its body is complete, never takes a place', async () => {
    const { Socket } = await import('node:net');
    const { hostname, port } = new URL(warden.url);
    const socket = new Socket().connect(Number(port), hostname);
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"model":`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await warden.routing()).totals).toMatchObject({ in_flight: 0, placed: 0, balanced: 0 });
  });
});
