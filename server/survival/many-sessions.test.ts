import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { modelWithDefaults } from '#lib/config/schema.ts';
import { NO_USAGE } from '#lib/usage/usage.ts';
import { freePass } from '#server/router/admission-pass.ts';
import type { PollerFactory } from '#server/router/engine-watch.ts';
import { ModelRuntime } from '#server/router/model-runtime.ts';
import { buildStoreWorker } from '#server/store/build-worker-for-tests.ts';
import { MIGRATIONS_DIR } from '#server/store/fixtures-for-tests.ts';
import { openStore } from '#server/store/open-store.ts';

const SESSIONS = 10_000;
/** Homes that a model keeps; the least recently used give way. */
const KEPT = 8_192;

/** Engines that answer their polls, as the same run each time. */
const createPoller: PollerFactory = (_url, _apiKey, { onPoll }) => {
  queueMicrotask(() =>
    onPoll({
      reading: {
        takenAt: Date.now(),
        ranks: [],
        processStartTime: 1000,
        cacheSource: null,
        blockSize: null,
        prefixCachingEnabled: null,
      },
      facts: { models: [], version: null, maxNumSeqs: null, simulated: false },
      healthy: true,
      restarted: false,
    }),
  );
  return { pollNow: () => {}, stop: async () => {} };
};

async function startModel(dataDir: string) {
  const log = pino({ level: 'silent' });
  const store = await openStore({ dataDir, workerUrl: await buildStoreWorker(), migrationsDir: MIGRATIONS_DIR, log });
  const model = new ModelRuntime({
    config: modelWithDefaults({ name: 'm', replicas: [1, 2, 3, 4].map((port) => ({ url: `http://e:${port}` })) }),
    setting: { affinity: null, spillThreshold: null, cacheFit: null, yieldAfterMs: null },
    store,
    log,
    now: Date.now,
    steadyNow: Date.now,
    maxHoldMs: () => 120_000,
    createPoller,
  });
  await model.start();
  return {
    model,
    async close() {
      await model.close();
      await store.close();
    },
  };
}

function turn(model: ModelRuntime, session: number): { readonly kind: string; readonly replica: number | null } {
  const key = { hash: `session-${session}`, source: 'test' };
  const request = { key, role: 'turn', sideReason: null, pin: null, unpinnable: null, bodyBytes: 100_000 } as const;
  const placement = model.place(request, null, freePass(null));
  if (placement === null) throw new Error('no replica is up');
  placement.answered();
  placement.release(true, NO_USAGE);
  return { kind: placement.decision.kind, replica: placement.decision.replica };
}

it('ten thousand sessions: evenly placed, bounded in number, and the same ones at home after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-many-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const before = await startModel(dataDir);
  const homes = new Map<number, number | null>();
  for (let session = 0; session < SESSIONS; session += 1) homes.set(session, turn(before.model, session).replica);
  const perReplica = [0, 1, 2, 3].map((replica) => [...homes.values()].filter((home) => home === replica).length);
  expect(Math.max(...perReplica) - Math.min(...perReplica)).toBeLessThan(SESSIONS / 20);
  expect([...before.model.router.homes()]).toHaveLength(KEPT);
  await before.close();

  const after = await startModel(dataDir);
  for (let session = SESSIONS - KEPT; session < SESSIONS; session += 1) {
    const { kind, replica } = turn(after.model, session);
    if (kind !== 'sticky' || replica !== homes.get(session)) {
      expect({ session, kind, replica }).toEqual({ session, kind: 'sticky', replica: homes.get(session) });
    }
  }
  expect(turn(after.model, 0).kind).toBe('placed');
  await after.close();
});
