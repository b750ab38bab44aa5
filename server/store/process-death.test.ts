import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildScript, buildStoreWorker } from './build-worker-for-tests.ts';
import { MIGRATIONS_DIR, temporaryFolder, temporaryStore } from './fixtures-for-tests.ts';

/** Another process with a store: writes a request, says so, and stays. */
const OTHER = `
  import { openStore } from './open-store.ts';
  const [dataDir = '', workerUrl = '', migrationsDir = ''] = process.argv.slice(2);
  const log = { info() {}, warn() {}, error() {} };
  const store = await openStore({ dataDir, workerUrl: new URL(workerUrl), migrationsDir, log });
  const now = Date.now();
  store.recordRequest({ id: 'from the other process', model: 'qwen', startedAt: now - 9, finishedAt: now,
    path: '/v1/messages', client: null, sessionHash: null, sessionSource: null, replica: 0, decision: 'placed',
    reason: '', why: null, miss: null, promptTokens: 10, cachedTokens: 0, completionTokens: 1, ttfbMs: 5, status: 200, outcome: 'ok', apiKeyId: null });
  await store.flush();
  console.log('written');`;

describe('another process', () => {
  let script: URL;
  beforeAll(async () => {
    script = await buildScript(OTHER, 'other-process');
  });

  it('keeps this one from using its database while it lives, and what it wrote survives its violent end', async () => {
    const dataDir = temporaryFolder();
    const other = await start(script, dataDir);
    await expect(temporaryStore({ dataDir })).rejects.toMatchObject({
      name: 'StoreError',
      code: 'in_use',
      message: expect.stringContaining('in use by another LM Warden'),
    });

    other.kill('SIGKILL');
    await once(other, 'exit');
    const store = await temporaryStore({ dataDir });
    expect(store.warning()).toBeNull();
    const requests = await store.requests('qwen', 10);
    expect(requests.map((row) => row.id)).toEqual(['from the other process']);
    const bars = await store.tokenSeries('qwen', '15m', requests[0]?.finishedAt ?? 0);
    expect(bars.at(-1)).toMatchObject({ requests: 1, computed: 10 });
  });
});

async function start(script: URL, dataDir: string): Promise<ChildProcess> {
  const args = [fileURLToPath(script), dataDir, (await buildStoreWorker()).href, MIGRATIONS_DIR];
  const other = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    other.kill('SIGKILL');
  });
  await once(other.stdout, 'data');
  return other;
}
