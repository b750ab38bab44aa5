import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';
import { processesOf } from './process-group.ts';
import { longText, MODEL, newSession, readMetrics, turn, userSays } from './product.ts';

const { url, pid } = inject('oneUrl');
const TOKENS = 3900;
const RESTART_MS = 8 * 60_000;
let warden: TestWarden;
beforeAll(async () => {
  warden = await startTestWarden({ fleets: [{ url }], model: MODEL });
});
afterAll(() => warden.close());

describe('one rank of one URL that dies under traffic', () => {
  it(
    'takes the whole engine down; the product says so, comes back with it, and has forgotten the homes',
    async () => {
      const session = newSession();
      const messages = userSays(longText(session, 60));
      for (let index = 0; index < 3; index += 1) await turn(warden, session, { messages });
      expect((await turn(warden, session, { messages })).decision).toBe('sticky');

      const streams = [0, 1].map((rank) =>
        warden
          .post(
            '/v1/chat/completions',
            {
              model: TEST_MODEL,
              stream: true,
              stream_options: { include_usage: true },
              max_tokens: TOKENS,
              ignore_eos: true,
              messages: userSays('on and on'),
            },
            { 'x-data-parallel-rank': String(rank) },
          )
          .then((answer) => answer.text().then((text) => ({ status: answer.status, text })))
          .catch((error: unknown) => ({ status: 0, text: String(error) })),
      );
      await eventually(async () =>
        expect((await readMetrics(url)).ranks.map(({ running }) => running)).toEqual([1, 1]),
      );
      const [victim] = processesOf(pid, 'VLLM::EngineCore_DP1');
      expect(victim, 'a process called VLLM::EngineCore_DP1').toBeDefined();
      process.kill(victim ?? 0, 'SIGKILL');

      // None of them is passed off as complete: cut off or with an error inside, unless the other rank was fast enough.
      for (const { text } of await Promise.all(streams)) {
        const isComplete = text.includes(`"completion_tokens":${TOKENS}`);
        expect(isComplete || text.includes('"error"') || !text.includes('data: [DONE]'), text.slice(-500)).toBe(true);
      }
      await eventually(async () => expect((await warden.routing()).health).toBe('down'), 60_000);
      const refused = await turn(warden, session, { messages });
      expect(refused.status).toBeGreaterThanOrEqual(500);
      expect(refused.text).toContain('"error"');
      const outcomes = (await warden.requests()).slice(0, 3).map(({ outcome }) => outcome);
      expect(outcomes).not.toContain('ok');

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
