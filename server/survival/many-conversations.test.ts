import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { sessionDetail, sessionList } from '#lib/contract/activity.ts';
import { modelList, routingState } from '#lib/contract/models.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';

const SESSIONS = 10_000;
/** Homes that a model keeps; the least recently used give way. */
const KEPT = 8_192;
const AT_ONCE = 48;
/** So many at a time that none is spilled, wherever they live. */
const BELOW_THRESHOLD = 6;
/** What ten thousand conversations may add to the heap, once they are over: about 2 kB each of those that are kept, with what the engine keeps. */
const HEAP_BYTES = 40 * 2 ** 20;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

let warden: TestWarden;
let grownBy: number;
/** The key of the first conversation, as the console shows it. */
let firstKey: string;
/** The replica of each conversation's first turn. */
const homes: (string | undefined)[] = [];
const agent = new Agent({ connections: AT_ONCE });

const idOf = (session: number): string => `conversation-${session}`;

async function turn(session: number) {
  const { statusCode, headers, body } = await request(`${warden.url}/v1/completions`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/json',
      'x-session-id': idOf(session),
      'user-agent': `agent/${session % 7}`,
    },
    body: JSON.stringify({ model: TEST_MODEL, prompt: 'hi', max_tokens: 1 }),
  });
  await body.text();
  return { status: statusCode, decision: headers['x-warden-decision'], replica: String(headers['x-warden-replica']) };
}

/** Conversation by conversation, some at a time, each begun in its order. */
async function eachOf(from: number, to: number, atOnce: number, act: (session: number) => Promise<void>) {
  let next = from;
  const worker = async (): Promise<void> => {
    for (let session = next++; session < to; session = next++) await act(session);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const list = async (query: string) =>
  sessionList.parse(await (await fetch(`${warden.url}/api/sessions?${query}`)).json());

beforeAll(async () => {
  const fleet = await startSimulatedFleet({ speed: 2000 });
  warden = await startTestWarden({ fleets: [fleet] });
  await turn(0);
  firstKey = (await list('')).sessions[0]?.key ?? '';
  collect();
  const before = process.memoryUsage().heapUsed;
  await eachOf(0, SESSIONS, AT_ONCE, async (session) => {
    const { status, replica } = await turn(session);
    if (status !== 200) throw new Error(`conversation ${session} got ${status}`);
    homes[session] = replica;
  });
  collect();
  grownBy = process.memoryUsage().heapUsed - before;
  return async () => {
    await agent.close();
    await warden.close();
    await fleet.close();
  };
}, 300_000);

describe('ten thousand conversations over HTTP', () => {
  it('live evenly on the replicas, and no more than are kept', async () => {
    const state = routingState.parse(
      await (await fetch(`${warden.url}/api/models/${encodeURIComponent(TEST_MODEL)}/routing`)).json(),
    );
    const live = state.replicas.map(({ live_sessions }) => live_sessions);
    expect(live.reduce((sum, one) => sum + one, 0)).toBe(KEPT);
    expect(Math.max(...live) - Math.min(...live)).toBeLessThan(KEPT / 10);
    expect(state.totals).toMatchObject({ in_flight: 0, placed: SESSIONS, spilled: 0, failed_over: 0 });
    const { models } = modelList.parse(await (await fetch(`${warden.url}/api/models`)).json());
    expect(models).toMatchObject([{ name: TEST_MODEL, live_sessions: KEPT }]);
  });

  it('are listed page by page, each once, the newest first', async () => {
    const seen = new Set<string>();
    const times: string[] = [];
    for (let offset = 0; offset < KEPT; offset += 2000) {
      const { sessions, total, matching } = await list(`offset=${offset}`);
      expect([total, matching, sessions.length]).toEqual([KEPT, KEPT, Math.min(2000, KEPT - offset)]);
      for (const { key, last_seen } of sessions) {
        seen.add(key);
        times.push(last_seen);
      }
    }
    expect(seen.size).toBe(KEPT);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('are found by key and client, also those that are not among the newest, and ordered by their turns', async () => {
    const early = SESSIONS - KEPT + 100;
    const of3 = await list('q=agent/3&limit=10');
    expect(of3).toMatchObject({ total: KEPT, sessions: { length: 10 } });
    expect(of3.sessions.every(({ client }) => client === 'agent/3')).toBe(true);
    expect(of3.matching).toBeGreaterThan(KEPT / 8);
    const known = new Map((await list('offset=8000')).sessions.map((one) => [one.key, one]));
    const [key] = known.keys();
    expect((await list(`q=${key}`)).sessions).toEqual([known.get(key ?? '')]);
    expect(await list('q=nobody+of+that+name')).toEqual({ sessions: [], matching: 0, total: KEPT });
    await turn(early);
    await turn(early);
    const [most, second] = (await list('order=turns&limit=2')).sessions;
    expect(most).toMatchObject({ turns: 3, home: Number(homes[early]) });
    expect(second?.turns).toBeLessThan(3);
    expect((await fetch(`${warden.url}/api/sessions?order=oldest`)).status).toBe(400);
  });

  it('stay at home with their next turn, the newest and the last that was kept', async () => {
    const wrong: unknown[] = [];
    await eachOf(SESSIONS - 500, SESSIONS, BELOW_THRESHOLD, async (session) => {
      const { decision, replica } = await turn(session);
      if (decision !== 'sticky' || replica !== homes[session]) wrong.push({ session, decision, replica });
    });
    expect(wrong).toEqual([]);
  });

  it('that had to give way are placed anew, and what they did before is still known', async () => {
    expect((await turn(1)).decision).toBe('placed');
    expect((await list(`q=${firstKey}`)).sessions).toEqual([]);
    await eventually(async () => {
      const answer = await fetch(`${warden.url}/api/sessions/${firstKey}`);
      const { session, turns } = sessionDetail.parse(await answer.json());
      expect([session, turns.length]).toEqual([null, 2]);
    });
  });

  it('take a bounded part of the memory', () => {
    expect(grownBy).toBeLessThan(HEAP_BYTES);
  });
});
