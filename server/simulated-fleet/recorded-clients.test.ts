import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { post, testFleet } from './fleet-testing.ts';

const recording = z.object({
  requests: z.array(z.object({ method: z.string(), path: z.string(), body: z.unknown() })),
});

const FOLDER = new URL('../../fixtures/clients/', import.meta.url);
const PATHS = ['/v1/messages', '/v1/messages/count_tokens', '/v1/chat/completions', '/v1/responses'];

/** Bodies that a real client sent to one path, in order. */
function recorded(file: string, path: string): object[] {
  const text = readFileSync(new URL(`${file}.json`, FOLDER), 'utf8');
  const { requests } = recording.parse(JSON.parse(text));
  return requests.flatMap(({ method, path: url, body }) =>
    method === 'POST' && url.split('?')[0] === path && typeof body === 'object' && body !== null ? [body] : [],
  );
}

/** Sends the bodies to one replica and gives each one's prompt and cached tokens. */
async function replay(bodies: readonly object[], path: string): Promise<{ prompt: number; cached: number }[]> {
  const fleet = await testFleet({ replicas: 1, speed: 500 });
  const counts: { prompt: number; cached: number }[] = [];
  for (const body of bodies) {
    const before = fleet.gauges()[0];
    const response = await post(fleet, path, { ...body, model: fleet.servedModelName });
    expect(response.status, await response.text()).toBe(200);
    const after = fleet.gauges()[0];
    const cached = (after?.cachedTokens ?? 0) - (before?.cachedTokens ?? 0);
    const computed = (after?.computedTokens ?? 0) - (before?.computedTokens ?? 0);
    counts.push({ prompt: cached + computed, cached });
  }
  return counts;
}

describe('recorded clients', () => {
  it('understands every request of every client', async () => {
    const files = readdirSync(FOLDER).filter((name) => name !== 'id-carriers.json');
    let requests = 0;
    for (const file of files) {
      for (const path of PATHS) requests += (await replay(recorded(file.replace('.json', ''), path), path)).length;
    }
    expect(requests).toBeGreaterThan(40);
  });

  it.each([
    ['claude-code-2.1.332-tool-loop', '/v1/messages'],
    ['claude-code-2.1.160-cch', '/v1/messages'],
    ['codex-0.171.0-responses', '/v1/responses'],
    ['pi-1.6.0-chat', '/v1/chat/completions'],
  ])('%s: a turn finds the whole previous turn', async (file, path) => {
    const counts = await replay(recorded(file, path), path);
    expect(counts.length).toBeGreaterThan(1);
    for (const [index, { cached }] of counts.entries()) {
      const previous = counts[index - 1];
      // The recorded answers differ from the simulated ones, so the previous prompt is what can be found.
      if (previous) expect(cached).toBeGreaterThanOrEqual(previous.prompt - 32);
    }
  });
});
