import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from '#server/warden-for-tests.ts';
import { BLOCK_SIZE } from './engine.ts';
import { longText, MODEL, newSession, turn, userSays } from './product.ts';

const url = inject('oneUrl');
let warden: TestWarden;
beforeAll(async () => {
  warden = await startTestWarden({ fleets: [{ url }], model: MODEL });
});
afterAll(() => warden.close());

const TEXT = longText('usage', 100);
const APIS = [
  ['/v1/chat/completions', { messages: userSays(TEXT), ignore_eos: true }],
  ['/v1/completions', { prompt: TEXT, messages: undefined, ignore_eos: true }],
  ['/v1/messages', { messages: userSays(TEXT) }],
  // Two ranks, no pin: the engine may choose either, so it is asked often enough to have been on both.
  ['/v1/responses', { input: TEXT, messages: undefined, max_tokens: undefined, max_output_tokens: 4 }],
] as const;
const CASES = APIS.flatMap(([path, body]) =>
  [false, true].map((stream) => ({ path, stream, body: { ...body, stream } })),
);

describe('what the engine counted for a request', () => {
  it.each(CASES)('is known on $path (streamed: $stream)', async ({ path, body }) => {
    const session = newSession();
    for (let ask = 0; ask < 4; ask += 1) expect((await turn(warden, session, body, path)).status).toBe(200);
    await eventually(async () => {
      const [newest] = await warden.requests();
      expect(newest).toMatchObject({ path, outcome: 'ok', model: TEST_MODEL });
      const { prompt_tokens, cached_tokens, completion_tokens } = newest ?? {};
      expect(prompt_tokens).toBeGreaterThan(100);
      expect(completion_tokens).toBeGreaterThan(0);
      // All full blocks before the last token come from the cache the second time.
      expect(cached_tokens).toBe(Math.floor(((prompt_tokens ?? 0) - 1) / BLOCK_SIZE) * BLOCK_SIZE);
    });
  });

  it('is asked for on behalf of the client, who does not see it', async () => {
    const { text } = await turn(warden, newSession(), { stream: true });
    expect(text).toContain('data: [DONE]');
    expect(text).not.toContain('usage');
    expect(text).not.toContain('"choices":[]');
    await eventually(async () => expect((await warden.requests())[0]?.prompt_tokens).toBeGreaterThan(0));
  });

  it('is left in the stream for a client that asks itself', async () => {
    const asked = await turn(warden, newSession(), { stream: true, stream_options: { include_usage: true } });
    expect(asked.text).toContain('"cached_tokens"');
  });
});
