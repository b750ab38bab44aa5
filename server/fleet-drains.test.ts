import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { fleetState } from '#lib/contract/fleet.ts';
import { startRedis } from '#scripts/start-redis.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const drainedAt = async (warden: TestWarden) =>
  (await warden.routing()).replicas.filter(({ draining }) => draining).map(({ url }) => url);

function drain(warden: TestWarden, replica: number, draining: boolean): Promise<Response> {
  const at = `${warden.url}/api/models/${TEST_MODEL}/replicas/${replica}`;
  const headers = { 'content-type': 'application/json' };
  return fetch(at, { method: 'PATCH', body: JSON.stringify({ draining }), headers });
}

function reconfigure(warden: TestWarden, urls: readonly string[]): void {
  const path = join(warden.dataDir, 'warden.yaml');
  const { models, ...rest } = parse(readFileSync(path, 'utf8')) as { models: object[] };
  writeFileSync(path, stringify({ ...rest, models: [{ ...models[0], replicas: urls.map((url) => ({ url })) }] }));
  process.kill(process.pid, 'SIGHUP');
}

describe('a replica that a person drains', () => {
  it('stays so though another warden does not have it, and drains there once it appears', async () => {
    const redis = await startRedis();
    closing.push(() => redis.close());
    const engines = await Promise.all(Array.from({ length: 3 }, () => startSimulatedFleet({ replicas: 1, speed: 50 })));
    for (const engine of engines) closing.push(() => engine.close());
    const whole = await startTestWarden({ fleets: engines, shared: redis.url });
    closing.push(() => whole.close());
    const partial = await startTestWarden({ fleets: engines.slice(0, 2), shared: redis.url });
    closing.push(() => partial.close());
    for (const warden of [whole, partial]) {
      await eventually(async () => {
        const state = fleetState.parse(await (await fetch(`${warden.url}/api/fleet`)).json());
        expect(state).toMatchObject({ shared_memory_up: true });
        expect(state.members).toHaveLength(2);
      }, 15_000);
    }
    const urls = engines.map(({ url }) => url);
    const [first = '', , third = ''] = urls;

    expect((await drain(whole, 2, true)).status).toBe(200);
    await whole.patchRouting({ spill_threshold: 6 });
    await eventually(async () => expect((await partial.routing()).spill_threshold).toBe(6));
    // The other one writes the whole setting, of which it knows the drained replica by name only.
    expect((await drain(partial, 0, true)).status).toBe(200);
    await partial.patchRouting({ spill_threshold: 7 });
    await eventually(async () => expect((await whole.routing()).spill_threshold).toBe(7));
    await eventually(async () => expect(await drainedAt(whole)).toEqual([first, third]));

    reconfigure(partial, urls);
    await eventually(async () => expect((await partial.routing()).replicas).toHaveLength(3));
    expect(await drainedAt(partial)).toEqual([first, third]);
    expect((await drain(partial, 2, false)).status).toBe(200);
    await eventually(async () => expect(await drainedAt(whole)).toEqual([first]));
  }, 60_000);
});
