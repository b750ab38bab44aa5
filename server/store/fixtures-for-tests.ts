import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { buildStoreWorker } from './build-worker-for-tests.ts';
import { createDatabase, type Database } from './database.ts';
import { type Connection, openConnection } from './open.ts';
import { openStore, type StoreOptions } from './open-store.ts';
import { DEFAULT_RETENTION, type Retention } from './retention.ts';
import type { ReplicaSampleRow, RequestRow, Store } from './store.ts';

export const MIGRATIONS_DIR = fileURLToPath(new URL('../../drizzle/migrations', import.meta.url));

/** A folder of the running test's own, removed after it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lm-warden-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database in a file of the running test's own. */
export function temporaryDatabase(retention: Partial<Retention> = {}): {
  readonly file: string;
  readonly connection: Connection;
  readonly database: Database;
} {
  const file = join(temporaryFolder(), 'warden.db');
  const connection = openConnection(file, MIGRATIONS_DIR);
  onTestFinished(() => {
    connection.sqlite.close();
  });
  return { file, connection, database: createDatabase(connection, { ...DEFAULT_RETENTION, ...retention }) };
}

/** For property tests: making a file for each of their runs takes most of their time. */
export function memoryDatabase(): Database {
  return createDatabase(openConnection(':memory:', MIGRATIONS_DIR), DEFAULT_RETENTION);
}

/** The thread deletes by the real clock; the rows of the tests have fixed times. */
const FOR_EVER: Retention = {
  rawHours: 1e6,
  minuteDays: 1e5,
  hourDays: 1e5,
  requestDays: 1e5,
  requestRows: 1e9,
  eventDays: 1e5,
  auditDays: 1e5,
};

/** A store in a folder of the running test's own, closed after it. */
export async function temporaryStore(given: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore({
    dataDir: temporaryFolder(),
    migrationsDir: MIGRATIONS_DIR,
    workerUrl: await buildStoreWorker(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    retention: FOR_EVER,
    ...given,
  });
  onTestFinished(() => store.close());
  return store;
}

/** The real thread with some JavaScript run before it; the URL to start it with. */
export async function workerWith(before: string): Promise<URL> {
  const file = join(temporaryFolder(), 'worker.mjs');
  const real = JSON.stringify((await buildStoreWorker()).href);
  writeFileSync(
    file,
    `import { existsSync, writeFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    ${before}
    await import(${real});`,
  );
  return pathToFileURL(file);
}

export function requestRow(given: Partial<RequestRow> = {}): RequestRow {
  const finishedAt = given.finishedAt ?? 1_800_000_000_000;
  return {
    id: 'req-1',
    model: 'qwen',
    startedAt: finishedAt - 2000,
    finishedAt,
    path: '/v1/messages',
    queuedMs: 0,
    displaced: false,
    client: 'claude-cli/2.1',
    sessionHash: 'a1b2c3',
    sessionSource: 'x-claude-code-session-id',
    replica: 1,
    decision: 'sticky',
    reason: 'its home, replica 1, has 2 of 8 requests in flight',
    why: { code: 'at_home', values: { home: 1, in_flight: 2, threshold: 8 } },
    miss: null,
    promptTokens: 1000,
    cachedTokens: 800,
    completionTokens: 50,
    ttfbMs: 300,
    status: 200,
    outcome: 'ok',
    apiKeyId: null,
    ...given,
  };
}

export function sampleRow(given: Partial<ReplicaSampleRow> = {}): ReplicaSampleRow {
  return {
    model: 'qwen',
    replica: 0,
    takenAt: 1_800_000_000_000,
    inFlight: 3,
    liveSessions: 5,
    running: 2,
    waiting: 1,
    kvUsage: 0.25,
    cachedTokens: 900,
    computedTokens: 100,
    ...given,
  };
}

let batches = 0;

/** Writes rows as one batch that was not written before. */
export function write(
  database: Database,
  rows: { readonly requests?: readonly RequestRow[]; readonly samples?: readonly ReplicaSampleRow[] },
): void {
  batches += 1;
  const { refused, reason } = database.writeBatch({
    id: `test-${batches}`,
    requests: rows.requests ?? [],
    samples: rows.samples ?? [],
    events: [],
    memories: new Map(),
  });
  if (refused > 0) throw new Error(`${refused} rows refused: ${reason}`);
}
