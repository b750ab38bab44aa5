import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { processStatus } from '#lib/contract/activity.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A warden that finds its replicas in a file. */
async function discovering(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'warden-replicas-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'replicas.yaml');
  const engines: SimulatedFleet[] = [];
  for (let index = 0; index < count; index += 1) {
    const engine = await startSimulatedFleet({ replicas: 1, speed: 5 });
    closing.push(() => engine.close());
    engines.push(engine);
  }
  // Sorted as the file is read, so that the numbers of the test are those of the warden.
  engines.sort((a, b) => (a.url < b.url ? -1 : 1));
  const list = (which: readonly SimulatedFleet[]) => writeFileSync(file, stringify(which.map(({ url }) => url)));
  const warden = (which: readonly SimulatedFleet[]) => {
    list(which);
    return startTestWarden({ fleets: [], model: { discover: { file } } });
  };
  return { engines, list, warden };
}

async function turn(warden: TestWarden, session: string, tokens = 2) {
  const answer = await warden.post(
    '/v1/chat/completions',
    { model: TEST_MODEL, max_tokens: tokens, messages: [{ role: 'user', content: session }] },
    { 'x-claude-code-session-id': session },
  );
  await answer.text();
  const { headers, status } = answer;
  return { status, replica: headers.get('x-warden-replica'), decision: headers.get('x-warden-decision') };
}

const urlsOf = async (warden: TestWarden) => (await warden.routing()).replicas.map(({ url }) => url);

describe('discovered replicas', () => {
  it('take new conversations as they appear, and move none', async () => {
    const { engines, list, warden: start } = await discovering(3);
    const warden = await start(engines.slice(0, 2));
    closing.push(() => warden.close());
    await eventually(async () => expect((await warden.routing()).replicas).toHaveLength(2));
    await eventually(async () => expect((await warden.routing()).health).toBe('up'));
    const sessions = Array.from({ length: 6 }, () => randomUUID());
    const homes = new Map<string, string | null>();
    for (const session of sessions) homes.set(session, (await turn(warden, session)).replica);
    list(engines);
    await eventually(async () => expect(await urlsOf(warden)).toHaveLength(3), 8_000);
    await eventually(async () => expect((await warden.routing()).health).toBe('up'), 8_000);
    for (const session of sessions) {
      expect(await turn(warden, session)).toMatchObject({ decision: 'sticky', replica: homes.get(session) });
    }
    const placed = await Promise.all([1, 2, 3].map(() => turn(warden, randomUUID())));
    expect(placed.map(({ replica }) => replica)).toContain('2');
  }, 40_000);

  it('drain and leave when they are gone from the directory, and their number is taken by the next', async () => {
    const { engines, list, warden: start } = await discovering(3);
    const [first, second, third] = engines;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three engines');
    const warden = await start([first, second]);
    closing.push(() => warden.close());
    await eventually(async () => expect((await warden.routing()).health).toBe('up'));
    const sessions = Array.from({ length: 4 }, () => randomUUID());
    for (const session of sessions) await turn(warden, session);
    const onFirst = (await warden.routing()).replicas[0]?.live_sessions ?? 0;
    expect(onFirst).toBeGreaterThan(0);

    const long = warden.post(
      '/v1/chat/completions',
      {
        model: TEST_MODEL,
        max_tokens: 900,
        ignore_eos: true,
        messages: [{ role: 'user', content: 'long' }],
        stream: true,
      },
      { 'x-data-parallel-rank': '0' },
    );
    const stream = await long;
    list([second]);
    await eventually(async () => {
      const { replicas } = await warden.routing();
      expect(replicas.find(({ url }) => url === first.url)).toMatchObject({ draining: true, in_flight: 1 });
    }, 8_000);
    for (const session of sessions) expect((await turn(warden, session)).replica).toBe('1');
    expect(await stream.text()).toContain('[DONE]');
    await eventually(async () => expect(await urlsOf(warden)).toEqual([second.url]), 8_000);
    expect((await warden.routing()).health).toBe('up');

    list([second, third]);
    await eventually(async () => expect(await urlsOf(warden)).toEqual([third.url, second.url]), 8_000);
    await eventually(async () => expect((await warden.routing()).health).toBe('up'), 8_000);
    for (const session of sessions)
      expect(await turn(warden, session)).toMatchObject({ decision: 'sticky', replica: '1' });
  }, 60_000);

  it('have their conversations again after a restart of the router, wherever they stand in the list then', async () => {
    const { engines, list, warden: start } = await discovering(4);
    const [first, second, third, fourth] = engines;
    if (!first || !second || !third || !fourth) throw new Error('four engines');
    const warden = await start([second, third, fourth]);
    closing.push(() => warden.close());
    const isWhole = (count: number) => async () => {
      expect((await warden.routing()).replicas.map(({ health }) => health)).toEqual(Array(count).fill('up'));
    };
    await eventually(isWhole(3));
    const homes = new Map<string, string | undefined>();
    const urlOf = async (replica: string | null) =>
      (await warden.routing()).replicas.find((one) => String(one.replica) === replica)?.url;
    for (let count = 0; count < 9; count += 1) {
      const session = randomUUID();
      homes.set(session, await urlOf((await turn(warden, session)).replica));
    }
    expect(new Set(homes.values()).size).toBe(3);
    const { placed } = (await warden.routing()).totals;
    // The one in the middle leaves, which leaves a gap in the numbers.
    list([second, fourth]);
    await eventually(async () => expect(await urlsOf(warden)).toEqual([second.url, fourth.url]), 8_000);

    for (const [more, isSame] of [
      [[], true],
      [[first], false],
    ] as const) {
      await warden.restart(0, () => list([...more, second, fourth]));
      await eventually(isWhole(2 + more.length), 8_000);
      for (const [session, url] of homes) {
        if (url === third.url) continue;
        const answered = await turn(warden, session);
        expect(answered.decision).toBe('sticky');
        expect(await urlOf(answered.replica)).toBe(url);
      }
      const { totals } = await warden.routing();
      expect(totals.placed > 0 && totals.placed < placed).toBe(isSame);
    }
  }, 60_000);

  it('say what is wrong with the directory', async () => {
    const warden = await startTestWarden({ fleets: [], model: { discover: { file: '/nowhere/replicas.yaml' } } });
    closing.push(() => warden.close());
    await eventually(async () => {
      const { warnings } = processStatus.parse(await (await fetch(`${warden.url}/api/status`)).json());
      expect(warnings).toContainEqual({
        code: 'discovery',
        message: expect.stringMatching(/^Replicas of qwen3-4b-dp4: the file .* cannot be asked/),
      });
    });
    expect((await turn(warden, randomUUID())).status).toBe(503);
  });
});
