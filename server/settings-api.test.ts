import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseState, settingsState } from '#lib/contract/settings.ts';
import type { SimulatedFleet } from './simulated-fleet/fleet-options.ts';
import { startSimulatedFleet } from './simulated-fleet/start-fleet.ts';
import { startTestWarden, TEST_MODEL, type TestWarden } from './warden-for-tests.ts';

const KEY = 'sk-engine-key-that-nobody-may-see';

describe('the settings of the console’s API', () => {
  let fleet: SimulatedFleet;
  let warden: TestWarden;
  beforeAll(async () => {
    fleet = await startSimulatedFleet({ replicas: 2, speed: 50 });
    warden = await startTestWarden({
      fleets: [fleet],
      model: { api_key: KEY, spill_threshold: 4 },
      config: { limits: { max_body_mb: 64 } },
    });
  });
  afterAll(async () => {
    await warden.close();
    await fleet.close();
  });

  const answer = async () => await (await fetch(`${warden.url}/api/settings`)).text();
  const settings = async () => settingsState.parse(JSON.parse(await answer()));
  const patch = (body: unknown): Promise<Response> =>
    fetch(`${warden.url}/api/settings`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const modelEntry = async (key: string) =>
    (await settings()).models.find(({ name }) => name === TEST_MODEL)?.entries.find((entry) => entry.key === key);

  it('say of each value whether it is a default, from a line of the file, or from the console', async () => {
    const { limits, config_file } = await settings();
    expect(config_file).toBe(join(warden.dataDir, 'warden.yaml'));
    const byKey = new Map(limits.map((entry) => [entry.key, entry]));
    expect(byKey.get('limits.max_body_mb')).toMatchObject({ value: 64, source: 'file', line: 2 });
    expect(byKey.get('limits.engine_away_seconds')).toMatchObject({ value: 240, source: 'default', line: null });
    expect(await modelEntry('spill_threshold')).toMatchObject({ value: 4, source: 'file' });
    expect(await modelEntry('affinity')).toMatchObject({ value: true, source: 'default' });
    await warden.patchRouting({ affinity: false, spill_threshold: 'auto' });
    expect(await modelEntry('affinity')).toMatchObject({ value: false, source: 'console', line: null });
    expect(await modelEntry('spill_threshold')).toMatchObject({ value: 'auto', source: 'console' });
  });

  it('never carry the key of an engine', async () => {
    expect(await modelEntry('api_key')).toMatchObject({ value: null, secret: true, source: 'file' });
    expect(await answer()).not.toContain(KEY);
  });

  it('keep a chosen retention over a restart, and give it back', async () => {
    expect((await patch({ retention: { minute_days: 30, raw_hours: 12 } })).status).toBe(200);
    await warden.restart();
    const kept = new Map((await settings()).retention.map((one) => [one.name, one]));
    expect(kept.get('minute_days')).toEqual({ name: 'minute_days', value: 30, default: 14, chosen: true });
    expect(kept.get('hour_days')).toMatchObject({ chosen: false });
    const back = settingsState.parse(await (await patch({ retention: { minute_days: null } })).json());
    expect(back.retention.find(({ name }) => name === 'minute_days')).toMatchObject({ value: 14, chosen: false });
    expect(back.retention.find(({ name }) => name === 'raw_hours')).toMatchObject({ value: 12, chosen: true });
  });

  it.each([
    [{ retention: { hour_days: 3 } }, 'retention.hour_days'],
    [{ retention: { raw_hours: 1.5 } }, 'retention.raw_hours'],
    [{ retention: { for_ever: 1 } }, 'for_ever'],
    [{}, 'retention'],
  ])('refuse %j and name the field', async (body, field) => {
    const refused = await patch(body);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ field });
  });

  it('tell the size of the file and of every table, the largest first', async () => {
    const database = databaseState.parse(await (await fetch(`${warden.url}/api/settings/database`)).json());
    expect(database.file).toBe(join(warden.dataDir, 'warden.db'));
    expect(database.file_bytes).toBe(statSync(database.file).size);
    expect(database.tables.map(({ name }) => name)).toContain('request');
    const sizes = database.tables.map(({ bytes }) => bytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });
});
