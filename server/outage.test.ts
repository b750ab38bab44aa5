import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { modelWithDefaults } from '#lib/config/schema.ts';
import type { RoutedRequest } from '#lib/routing/types.ts';
import { NO_USAGE } from '#lib/usage/usage.ts';
import { freePass } from './router/admission-pass.ts';
import type { PollerFactory } from './router/engine-watch.ts';
import { ModelRuntime } from './router/model-runtime.ts';
import { buildStoreWorker } from './store/build-worker-for-tests.ts';
import { openStore } from './store/open-store.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type PollEvents = Parameters<PollerFactory>[2];

/** A model on several URLs whose clock and polls are in the test's hand. */
async function runningModel(urls: readonly string[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-'));
  const log = pino({ level: 'silent' });
  const migrationsDir = fileURLToPath(new URL('../drizzle/migrations', import.meta.url));
  const store = await openStore({ dataDir, workerUrl: await buildStoreWorker(), migrationsDir, log });
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }), store.close);
  const clock = { now: 1_000_000 };
  const polls = new Map<string, PollEvents>();
  const well = (url: string): void =>
    polls.get(url)?.onPoll({
      reading: {
        takenAt: clock.now,
        ranks: [],
        processStartTime: null,
        cacheSource: null,
        blockSize: null,
        prefixCachingEnabled: null,
      },
      facts: { models: [], version: null, maxNumSeqs: null, simulated: false },
      healthy: true,
      restarted: false,
    });
  const replicas = urls.map((url) => ({ url, ranks: 1 }));
  const model = new ModelRuntime({
    config: modelWithDefaults({ name: 'm', replicas }),
    setting: { affinity: null, spillThreshold: null, cacheFit: null, yieldAfterMs: null },
    store,
    log,
    now: () => clock.now,
    maxHoldMs: () => 120_000,
    createPoller(url, _apiKey, events) {
      polls.set(url, events);
      queueMicrotask(() => well(url));
      return { pollNow: () => {}, stop: async () => {} };
    },
  });
  await model.start();
  closing.push(() => model.close());
  const away = (url: string): void => {
    for (let count = 0; count < 3; count += 1) polls.get(url)?.onFailure(new Error('no answer'));
  };
  return { model, clock, well, away };
}

const request: RoutedRequest = {
  key: { hash: 'conversation', source: 'test' },
  role: 'turn',
  sideReason: null,
  pin: null,
  unpinnable: null,
  bodyBytes: 100_000,
};

function turn(model: ModelRuntime): string {
  const placement = model.place(request, null, freePass(null));
  if (placement === null) return 'no replica';
  placement.answered();
  placement.release(true, NO_USAGE);
  return `${placement.decision.kind} ${placement.target.url}`;
}

const A = 'http://a:1';
const B = 'http://b:1';

describe('a replica that is away', () => {
  it('for a short while, gets its conversation back', async () => {
    const { model, clock, well, away } = await runningModel([A, B]);
    expect(turn(model)).toBe(`placed ${A}`);
    away(A);
    expect(turn(model)).toBe(`failed_over ${B}`);
    clock.now += 20_000;
    away(A);
    well(A);
    expect(turn(model)).toBe(`sticky ${A}`);
  });

  it('for long, loses it to the replica that stood in, whose cache it is in', async () => {
    const { model, clock, well, away } = await runningModel([A, B]);
    expect(turn(model)).toBe(`placed ${A}`);
    away(A);
    expect(turn(model)).toBe(`failed_over ${B}`);
    clock.now += 120_000;
    away(A);
    expect(turn(model)).toBe(`sticky ${B}`);
    well(A);
    expect(turn(model)).toBe(`sticky ${B}`);
  });

  it('for long, and is the only one, keeps its conversation: nobody else has had it', async () => {
    const { model, clock, well, away } = await runningModel([A]);
    expect(turn(model)).toBe(`placed ${A}`);
    away(A);
    expect(turn(model)).toBe('no replica');
    clock.now += 120_000;
    away(A);
    well(A);
    expect(turn(model)).toBe(`sticky ${A}`);
  });
});
