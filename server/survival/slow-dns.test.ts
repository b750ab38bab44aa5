import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, it, vi } from 'vitest';
import { modelList } from '#lib/contract/models.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { startTestWarden, TEST_MODEL } from '#server/warden-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const SLOW_HOST = 'slow.example.org';

/** Names of this host are looked up for ever; all others as usual. */
function hangLookups(): { count(): number } {
  const real = dns.lookup.bind(dns);
  let asked = 0;
  const hanging = (hostname: string, ...rest: unknown[]): void => {
    if (hostname === SLOW_HOST) asked += 1;
    else Reflect.apply(real, dns, [hostname, ...rest]);
  };
  vi.spyOn(dns, 'lookup').mockImplementation(Object.assign(hanging, { __promisify__: dns.lookup.__promisify__ }));
  syncBuiltinESMExports();
  return { count: () => asked };
}

it('a name that is not resolved holds up its own model alone: the start, the others and the console go on', async () => {
  const lookups = hangLookups();
  const fleet = await startSimulatedFleet({ speed: 50, replicas: 1 });
  const slow = { name: 'slow', replicas: [{ url: `http://${SLOW_HOST}:8000` }] };
  const limits = { connect_timeout_seconds: 1, engine_away_seconds: 1 };
  const warden = await startTestWarden({ fleets: [fleet], otherModels: [slow], config: { limits } });
  closing.push(fleet, warden);
  const ask = async (model: string): Promise<number> => {
    const answer = await warden.post('/v1/completions', { model, prompt: 'hi', max_tokens: 2 });
    await answer.text();
    return answer.status;
  };
  const asked = ask('slow');
  expect(await Promise.all([ask(TEST_MODEL), ask(TEST_MODEL), ask(TEST_MODEL)])).toEqual([200, 200, 200]);
  const { models } = modelList.parse(await (await fetch(`${warden.url}/api/models`)).json());
  expect(models.map(({ name, health }) => [name, health])).toEqual([
    [TEST_MODEL, 'up'],
    ['slow', 'down'],
  ]);
  expect(await asked).toBe(503);
  expect(lookups.count()).toBeGreaterThan(0);
});
