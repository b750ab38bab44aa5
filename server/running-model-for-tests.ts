import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { type ModelConfig, modelWithDefaults } from '#lib/config/schema.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { PollerFactory } from './router/engine-watch.ts';
import { ModelRuntime } from './router/model-runtime.ts';
import { NO_SETTING } from './router/policy.ts';
import { buildStoreWorker } from './store/build-worker-for-tests.ts';
import { openStore } from './store/open-store.ts';

/** What a test closes when it is over, the last first. */
export type Closing = (() => unknown)[];

type PollEvents = Parameters<PollerFactory>[2];

/** Two clocks that go on together, and of which the wall clock can be set. */
export function testClock() {
  const clock = { wall: 1_700_000_000_000, steady: 50_000 };
  return {
    now: () => clock.wall,
    steadyNow: () => clock.steady,
    pass(ms: number) {
      clock.wall += ms;
      clock.steady += ms;
    },
    /** Somebody sets the wall clock, ahead or, below zero, back. */
    setBy(ms: number) {
      clock.wall += ms;
    },
  };
}

type RunningOptions = {
  readonly clock?: ReturnType<typeof testClock>;
  readonly config?: Partial<ModelConfig>;
  readonly fleet?: Fleet | null;
};

/** A model on several URLs, with a real database, whose clocks and polls are in the test's hand. */
export async function runningModel(
  urls: readonly string[],
  closing: Closing,
  { clock = testClock(), config = {}, fleet = null }: RunningOptions = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-'));
  const log = pino({ level: 'silent' });
  const migrationsDir = fileURLToPath(new URL('../drizzle/migrations', import.meta.url));
  const store = await openStore({ dataDir, workerUrl: await buildStoreWorker(), migrationsDir, log });
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }), store.close);
  const polls = new Map<string, PollEvents>();
  const well = (url: string): void =>
    polls.get(url)?.onPoll({
      reading: {
        takenAt: clock.now(),
        ranks: [],
        processStartTime: 7,
        cacheSource: null,
        blockSize: null,
        prefixCachingEnabled: null,
      },
      facts: { models: [], version: null, maxNumSeqs: null, simulated: false },
      healthy: true,
      restarted: false,
    });
  const away = (url: string): void => {
    for (let count = 0; count < 3; count += 1) polls.get(url)?.onFailure(new Error('no answer'));
  };
  const entry = (which: readonly string[]) =>
    modelWithDefaults({ name: 'm', replicas: which.map((url) => ({ url, ranks: 1 })), ...config });
  const start = async (which: readonly string[]): Promise<ModelRuntime> => {
    const model = new ModelRuntime({
      config: entry(which),
      setting: NO_SETTING,
      store,
      log,
      now: clock.now,
      steadyNow: clock.steadyNow,
      fleet,
      maxHoldMs: () => 120_000,
      createPoller(url, _apiKey, events) {
        polls.set(url, events);
        queueMicrotask(() => well(url));
        return { pollNow: () => {}, stop: async () => {} };
      },
    });
    await model.start();
    closing.push(() => model.close());
    return model;
  };
  return { model: await start(urls), clock, well, away, store, start, entry };
}
