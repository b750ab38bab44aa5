import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { modelWithDefaults } from '#lib/config/schema.ts';
import { ModelSettings } from './router/model-settings.ts';
import { NO_SETTING } from './router/policy.ts';
import { buildStoreWorker } from './store/build-worker-for-tests.ts';
import { openStore } from './store/open-store.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function settingsOf() {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-'));
  const migrationsDir = fileURLToPath(new URL('../drizzle/migrations', import.meta.url));
  const log = pino({ level: 'silent' });
  const store = await openStore({ dataDir, workerUrl: await buildStoreWorker(), migrationsDir, log });
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }), store.close);
  const events: string[] = [];
  const config = modelWithDefaults({ name: 'm', replicas: [{ url: 'http://engine' }] });
  const onEvent = ({ kind }: { kind: string }): void => void events.push(kind);
  const settings = new ModelSettings({ config, setting: NO_SETTING, store, onPolicy: () => {}, onEvent });
  return { settings, store, events };
}

describe('settings that are changed at the same time', () => {
  it('are all in force and saved, each of them', async () => {
    const { settings, store, events } = await settingsOf();
    await Promise.all([
      settings.change({ affinity: false }),
      settings.change({ spillThreshold: 3 }),
      settings.change({ cacheFit: true }),
      settings.change({ yieldAfterMs: 5_000 }),
    ]);
    const all = { affinity: false, spillThreshold: 3, cacheFit: true, yieldAfterMs: 5_000 };
    expect(settings.setting).toEqual(all);
    expect((await store.settings()).get('m')).toEqual(all);
    expect(settings.policy).toMatchObject({ affinity: false, spillThreshold: 3, cacheFit: true, yieldAfterMs: 5_000 });
    expect(events).toEqual(['affinity_off', 'spill_threshold', 'cache_fit_on', 'yield_after']);
  });

  it('are those of the last one where several change the same, here or at another warden', async () => {
    const { settings, store } = await settingsOf();
    const heard = { ...NO_SETTING, affinity: false, spillThreshold: 9 };
    await Promise.all([
      settings.change({ spillThreshold: 2 }),
      settings.take(heard),
      settings.change({ affinity: true }),
      settings.change({ spillThreshold: 5 }),
    ]);
    expect(settings.setting).toEqual({ ...NO_SETTING, affinity: true, spillThreshold: 5 });
    expect((await store.settings()).get('m')).toEqual(settings.setting);
  });
});
