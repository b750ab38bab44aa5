import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type OddEngine, startOddEngine } from './odd-engine-for-tests.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

const answers = (_req: IncomingMessage, res: ServerResponse): void => {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end('{}');
};
const resets = (req: IncomingMessage): void => void req.socket.resetAndDestroy();
const cuts = (req: IncomingMessage, res: ServerResponse): void => {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.write('data: {}\n\n', () => req.socket.resetAndDestroy());
};

async function twoUrls(): Promise<{ engines: OddEngine[]; warden: TestWarden }> {
  const engines = [await startOddEngine(answers, 1), await startOddEngine(answers, 1)];
  const warden = await startTestWarden({ fleets: engines.map(({ engine }) => engine) });
  closing.push(...engines.map(({ engine }) => engine), warden);
  return { engines, warden };
}

/** Status, decision and replica of a turn; null where its stream was cut. */
async function turn(warden: TestWarden, session: string) {
  const body = { model: TEST_MODEL, messages: [{ role: 'user', content: 'hi' }] };
  const answer = await warden.post('/v1/messages', body, { 'x-claude-code-session-id': session });
  const { headers, status } = answer;
  return answer.text().then(
    () => ({ status, decision: headers.get('x-warden-decision'), replica: headers.get('x-warden-replica') }),
    () => null,
  );
}

/** A conversation, the engine at its home, and the other one. */
async function settledTurn() {
  const { engines, warden } = await twoUrls();
  const session = randomUUID();
  const first = await turn(warden, session);
  expect(first).toMatchObject({ status: 200, decision: 'placed' });
  const replica = Number(first?.replica);
  const [home, other] = replica === 0 ? engines : engines.toReversed();
  if (home === undefined || other === undefined) throw new Error('two engines were started');
  return { warden, session, replica, home, other };
}

describe('a replica whose requests break off though its polls are well', () => {
  it('is left alone from the third in a row on, and the request that meets it is answered elsewhere', async () => {
    const { warden, session, replica, home, other } = await settledTurn();
    home.onInference = resets;
    expect(await turn(warden, session)).toMatchObject({ status: 502 });
    expect(await turn(warden, session)).toMatchObject({ status: 200, decision: 'failed_over' });
    expect(home.seen).toHaveLength(1 + 3);
    for (let count = 0; count < 5; count += 1) {
      expect(await turn(warden, session)).toMatchObject({ status: 200, decision: 'failed_over' });
    }
    expect(home.seen).toHaveLength(1 + 3);
    expect(other.seen).toHaveLength(6);
    const state = await warden.routing();
    expect(state.replicas[replica]?.health).toBe('down');
    expect(state.totals).toMatchObject({ in_flight: 0, spilled: 0 });
  });

  it('stays out while its polls succeed, and gets its conversations back when a probe is answered', async () => {
    const { warden, session, replica, home } = await settledTurn();
    home.onInference = cuts;
    for (let count = 0; count < 3; count += 1) expect(await turn(warden, session)).toBeNull();
    expect(await turn(warden, session)).toMatchObject({ decision: 'failed_over' });
    home.onInference = answers;
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await warden.routing()).replicas[replica]?.health).toBe('down');
    const back = await eventually(async () => {
      const answered = await turn(warden, session);
      expect(answered).toMatchObject({ decision: 'sticky', replica: String(replica) });
      return answered;
    }, 15_000);
    expect(back).toMatchObject({ status: 200 });
    expect((await warden.routing()).replicas[replica]?.health).toBe('up');
  });

  it('is used all the same where the others are no better', async () => {
    const { warden, session, home, other } = await settledTurn();
    home.onInference = resets;
    other.onInference = resets;
    for (let count = 0; count < 6; count += 1) expect((await turn(warden, session))?.status).toBe(502);
    home.onInference = answers;
    other.onInference = answers;
    expect(await turn(warden, session)).toMatchObject({ status: 200 });
  });
});

describe('one URL', () => {
  it('has no circuit: there is nowhere else to go', async () => {
    const odd = await startOddEngine(resets);
    const warden = await startTestWarden({ fleets: [odd.engine] });
    closing.push(odd.engine, warden);
    for (let count = 0; count < 5; count += 1) expect((await turn(warden, randomUUID()))?.status).toBe(502);
    odd.onInference = answers;
    expect(await turn(warden, randomUUID())).toMatchObject({ status: 200 });
  });
});

describe('the one retry of a request whose connection died', () => {
  it('is made with the same bytes, and the client sees nothing of it', async () => {
    const odd = await startOddEngine(answers);
    const warden = await startTestWarden({ fleets: [odd.engine] });
    closing.push(odd.engine, warden);
    odd.onInference = (req) => {
      odd.onInference = answers;
      req.socket.resetAndDestroy();
    };
    expect(await turn(warden, randomUUID())).toMatchObject({ status: 200, decision: 'placed' });
    expect(odd.bodies).toHaveLength(2);
    expect(odd.bodies[0]).toEqual(odd.bodies[1]);
    expect((await warden.routing()).totals).toMatchObject({ placed: 1, in_flight: 0 });
  });
});
