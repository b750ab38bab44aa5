import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRESETS } from '#lib/simulation/profile.ts';
import type { SimulatedFleet } from './fleet-options.ts';
import { RECORDINGS, readRecording, shapeOfAnswer } from './recorded-vllm.ts';
import { startSimulatedFleet } from './start-fleet.ts';

let fleet: SimulatedFleet;
beforeAll(async () => {
  // The limits of the recorded engine.
  const preset = { ...PRESETS.demo, maxModelLen: 4096, maxNumSeqs: 4, blockSize: 32, numBlocks: 256 };
  fleet = await startSimulatedFleet({ replicas: 2, servedModelName: 'tiny', speed: 50, preset });
});
afterAll(() => fleet.close());

/** What it does on purpose in another way, and why. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'embeddings-of-a-chat-model': 'it has embeddings, so that a path without a replica can be tried',
  'server-info': 'no exchange; it has no development endpoints',
  unauthorized: 'it has no key here; see chat.test.ts',
  version: 'it says that it is simulated',
};
const names = readdirSync(RECORDINGS)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''))
  .filter((name) => !(name in OTHERWISE))
  .sort();

describe('the simulated fleet beside a recorded vLLM', () => {
  it.each(names)('answers %s in the same form', async (name) => {
    const recorded = readRecording(name);
    const { request } = recorded;
    const answer = await fetch(fleet.url + recorded.path, {
      method: recorded.method,
      headers: recorded.headers,
      body: request === null ? null : typeof request === 'string' ? request : JSON.stringify(request),
    });
    const text = await answer.text();
    const contentType = answer.headers.get('content-type');
    expect({ status: answer.status, contentType }).toEqual({
      status: recorded.status,
      contentType: recorded.contentType,
    });
    const isJson = contentType?.startsWith('application/json') ?? false;
    expect(shapeOfAnswer(isJson ? JSON.parse(text) : text)).toEqual(shapeOfAnswer(recorded.response));
  });
});
