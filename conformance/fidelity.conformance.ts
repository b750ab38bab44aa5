import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { EngineProfile } from '#lib/simulation/profile.ts';
import type { SimulatedFleet } from '#server/simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { BLOCK_SIZE, BLOCKS, MAX_BATCHED_TOKENS, MAX_MODEL_LEN, MAX_NUM_SEQS } from './engine.ts';
import {
  type Observed,
  type ScriptedRequest,
  sendTogether,
  type Target,
  talkInTurns,
  tokens,
} from './fidelity-script.ts';
import { API_KEY } from './global-setup.ts';
import { runTogether } from './virtual-run.ts';

/**
 * The same scripts on the real engine and on the simulator. What must agree has nothing to do with speed: tokens from
 * the cache, order, queue, counters. The simulated steps are about as slow as this CPU's.
 */
const authorization = `Bearer ${API_KEY}`;
const real: Target = { url: inject('twoServers')[1] ?? '', headers: { authorization } };
const PROFILE: EngineProfile = {
  maxModelLen: MAX_MODEL_LEN,
  maxNumSeqs: MAX_NUM_SEQS,
  maxNumBatchedTokens: MAX_BATCHED_TOKENS,
  blockSize: BLOCK_SIZE,
  numBlocks: BLOCKS,
  timing: {
    baseMs: 1,
    perPrefillTokenMs: 0.01,
    perPrefillContextMs: 0,
    perDecodeContextMs: 0,
    jitterSigma: 0,
    apiBaseMs: 0,
    apiPerThousandTokensMs: 0,
  },
};
let fleet: SimulatedFleet;

beforeAll(async () => {
  fleet = await startSimulatedFleet({ replicas: 1, servedModelName: 'tiny', preset: PROFILE });
});
afterAll(() => fleet.close());
beforeEach(async () => {
  const reset = await fetch(`${real.url}/reset_prefix_cache`, { method: 'POST', headers: real.headers });
  expect(reset.status).toBe(200);
  await fleet.restart();
});

async function both(script: (target: Target) => Promise<Observed>): Promise<{ real: Observed; simulated: Observed }> {
  const simulated = { url: fleet.url, headers: {} };
  return { real: await script(real), simulated: await script(simulated) };
}

async function together(requests: readonly ScriptedRequest[]): Promise<{ real: Observed; simulated: Observed }> {
  return { real: await sendTogether(real, requests), simulated: runTogether(PROFILE, requests) };
}

describe('the simulator beside the real engine', () => {
  it('finds the same blocks in the cache as conversations grow, all of which fit', async () => {
    const plan = { conversations: 4, rounds: 3, system: tokens(900, 300) };
    const { real, simulated } = await both((target) => talkInTurns(target, plan));
    expect(simulated).toEqual(real);
    expect(real.counters.cachedTokens).toBeGreaterThan(1000);
  });

  it('evicts the same blocks when they do not fit', async () => {
    const plan = { conversations: 13, rounds: 4, system: tokens(901, 200) };
    const { real, simulated } = await both((target) => talkInTurns(target, plan));
    expect(simulated).toEqual(real);
    // It did evict: some turn found no more than the shared system prompt.
    expect(real.cached.slice(13)).toContain(Math.floor(200 / BLOCK_SIZE) * BLOCK_SIZE);
  });

  it('runs as many as it may, keeps the rest waiting, and ends them in the same order', async () => {
    const lengths = [1500, 1100, 1900, 1300, 600, 700, 900, 500];
    const requests = lengths.map((maxTokens, index) => ({ prompt: tokens(50 + index, 70), maxTokens }));
    const { real, simulated } = await together(requests);
    expect(real.queue).toEqual([MAX_NUM_SEQS, lengths.length - MAX_NUM_SEQS]);
    expect(simulated).toEqual(real);
  });

  it('lets a request share the prefix of one that is still running', async () => {
    const prefix = tokens(70, 640);
    const requests = [0, 1, 2].map((index) => ({
      prompt: [...prefix.slice(0, 640 - 100 * index), ...tokens(80 + index, 90)],
      maxTokens: 1000 + 200 * index,
    }));
    const { real, simulated } = await together(requests);
    expect(simulated).toEqual(real);
    expect(real.cached.slice(1).every((cached) => cached > 300)).toBe(true);
  });

  it('preempts as often, and counts the same, when the running requests outgrow the cache', async () => {
    // Four prompts fit, their answers do not.
    const requests = [0, 1, 2, 3].map((index) => ({ prompt: tokens(90 + index, 1500), maxTokens: 700 + 100 * index }));
    const { real, simulated } = await together(requests);
    expect(real.counters.preemptions).toBeGreaterThan(0);
    expect(simulated).toEqual(real);
  });
});
