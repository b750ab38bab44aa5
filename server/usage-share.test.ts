import { afterEach, describe, expect, it } from 'vitest';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL } from './warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

/** Streams of clients that never ask for usage, as most do; then what Stats makes of them. */
async function statsAfterStreams(promptTokensDetails: boolean) {
  const fleet = await startSimulatedFleet({ speed: 50, promptTokensDetails });
  const warden = await startTestWarden({ fleets: [fleet] });
  closing.push(fleet, warden);
  for (const [path, input] of [
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }],
    ['/v1/completions', { prompt: 'once' }],
    ['/v1/messages', { messages: [{ role: 'user', content: 'hi' }] }],
  ] as const) {
    const answer = await warden.post(path, { model: TEST_MODEL, stream: true, max_tokens: 3, ...input });
    expect(await answer.text()).not.toContain('"choices":[]');
  }
  return eventually(async () => {
    const answer = await fetch(`${warden.url}/api/stats/tokens?model=${TEST_MODEL}&window=15m`);
    const stats = await answer.json();
    const requests = stats.buckets.reduce((sum: number, bucket: { requests: number }) => sum + bucket.requests, 0);
    expect(requests).toBe(3);
    return stats;
  });
}

describe('the share of measured requests', () => {
  it('is 100 % though no client asked for usage', async () => {
    expect(await statsAfterStreams(true)).toMatchObject({ measured_percent: 100 });
  });

  it('is 0 % where the engine does not tell cached tokens, and prompt tokens are known all the same', async () => {
    const stats = await statsAfterStreams(false);
    expect(stats).toMatchObject({ measured_percent: 0 });
    const computed = stats.buckets.reduce(
      (sum: number, bucket: { prompt_computed_tokens: number | null }) => sum + (bucket.prompt_computed_tokens ?? 0),
      0,
    );
    expect(computed).toBeGreaterThan(0);
  });
});
