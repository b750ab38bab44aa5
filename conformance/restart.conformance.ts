import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';
import { groupOf, membersOf } from './process-group.ts';
import { longText, MODEL, newSession, readMetrics, turn, userSays } from './product.ts';

const url = inject('oneUrl');
const RESTART_MS = 15 * 60_000;
let warden: TestWarden;
beforeAll(async () => {
  warden = await startTestWarden({ fleets: [{ url }], model: MODEL });
});
afterAll(() => warden.close());

/** More than any rank makes of them before it is stopped. */
const TOKENS = 3900;
const UNDER_WAY = [
  { rank: 0, path: '/v1/chat/completions', stream: true },
  { rank: 0, path: '/v1/chat/completions', stream: false },
  { rank: 0, path: '/v1/messages', stream: true },
  { rank: 1, path: '/v1/chat/completions', stream: true },
];

/** What the client gets to see at the end: status and the end of the text. */
async function send(path: string, rank: number, stream: boolean): Promise<string> {
  const body = {
    model: TEST_MODEL,
    stream,
    max_tokens: TOKENS,
    temperature: 0,
    ignore_eos: true,
    messages: userSays('on and on'),
  };
  try {
    const answer = await warden.post(path, body, { 'x-data-parallel-rank': String(rank) });
    return `${answer.status} ${(await answer.text()).slice(-400)}`;
  } catch (error) {
    return String(error);
  }
}

describe('one rank of one URL that dies under traffic', () => {
  it(
    'takes the whole engine down; the product says so, comes back with it, and has forgotten the homes',
    async () => {
      const session = newSession();
      const messages = userSays(longText(session, 60));
      for (let index = 0; index < 3; index += 1) await turn(warden, session, { messages });
      expect(await turn(warden, session, { messages })).toMatchObject({ status: 200, decision: 'sticky' });

      await eventually(async () => expect(await warden.requests()).toHaveLength(4));
      const underWay = UNDER_WAY.map(({ rank, path, stream }) => send(path, rank, stream));
      await eventually(async () =>
        expect((await readMetrics(url)).ranks.map(({ running }) => running)).toEqual([UNDER_WAY.length - 1, 1]),
      );
      const [victim] = membersOf(groupOf(url), 'VLLM::EngineCore_DP1');
      expect(victim, 'a process called VLLM::EngineCore_DP1').toBeDefined();
      process.kill(victim ?? 0, 'SIGKILL');

      // Cut off, with an error inside, or ended by the engine as if complete: the product calls none of them ok.
      const answers = await Promise.all(underWay);
      await eventually(async () => {
        const cut = (await warden.requests()).slice(0, -4);
        const shown = JSON.stringify([cut, answers], null, 1);
        expect(cut, shown).toHaveLength(UNDER_WAY.length);
        expect(
          cut.filter(({ outcome }) => outcome === 'ok'),
          shown,
        ).toEqual([]);
      });
      await eventually(async () => expect((await warden.routing()).health).toBe('down'), 60_000);
      const refused = await turn(warden, session, { messages });
      expect(refused.status).toBeGreaterThanOrEqual(500);
      expect(refused.text).toContain('"error"');
      await eventually(async () => expect((await warden.routing()).health).toBe('up'), RESTART_MS);
      const back = await turn(warden, session, { messages });
      expect(back).toMatchObject({ status: 200, decision: 'placed' });
      expect(await turn(warden, session, { messages })).toMatchObject({ decision: 'sticky', replica: back.replica });
      const { engine, totals } = await warden.routing();
      expect(engine.restarted_at).not.toBeNull();
      expect(totals.in_flight).toBe(0);
    },
    RESTART_MS + 120_000,
  );
});
