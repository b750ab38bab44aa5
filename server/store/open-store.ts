import { join } from 'node:path';
import { type BufferLimits, createBatchBuffer, DEFAULT_LIMITS } from './batch-buffer.ts';
import type { Database } from './database.ts';
import { mergedMemory } from './merged-memory.ts';
import { DEFAULT_RETENTION, type Retention } from './retention.ts';
import type { Store } from './store.ts';
import { StoreError } from './store-error.ts';
import type { StoreLog } from './store-log.ts';
import type { TableSize } from './table-sizes.ts';
import { troubleOf } from './trouble.ts';
import { DatabaseFailure, openWorkerLink, type WorkerLink } from './worker-link.ts';
import type { CallName } from './worker-protocol.ts';
import { createWriteBehind } from './write-behind.ts';

export type StoreOptions = {
  /** Made where it is not there. Holds `warden.db`. */
  readonly dataDir: string;
  /** drizzle/migrations, as an absolute path. */
  readonly migrationsDir: string;
  /** The bundled server/store/worker.ts. */
  readonly workerUrl: URL;
  readonly log: StoreLog;
  readonly retention?: Partial<Retention>;
  readonly limits?: Partial<BufferLimits>;
};

const FLUSH_EVERY_MS = 1000;

/**
 * Opens the database in a thread of its own. Where the file cannot be used it resolves all the same, with a store that
 * keeps everything in memory and says so in `warning()`. Rejects with a `StoreError`: `in_use` where another process
 * has the file, `unavailable` where the thread cannot start at all.
 */
export async function openStore({ dataDir, migrationsDir, workerUrl, log, ...rest }: StoreOptions): Promise<Store> {
  const file = join(dataDir, 'warden.db');
  const options = { file, migrationsDir, retention: { ...DEFAULT_RETENTION, ...rest.retention } };
  const link = await openWorkerLink({ workerUrl, options, log });
  const buffer = createBatchBuffer({ ...DEFAULT_LIMITS, ...rest.limits });
  const writer = createWriteBehind({ file, buffer, log, write: (batch) => link.ask('writeBatch', batch) });
  const timer = setInterval(() => writer.tick(Date.now()), FLUSH_EVERY_MS).unref();
  let closed: Promise<void> | null = null;
  let measuring: Promise<readonly TableSize[]> | null = null;
  if (memoryWarning(link, file) !== null) log.error({ file }, memoryWarning(link, file) ?? '');

  return {
    recordRequest: buffer.request,
    recordSample: buffer.sample,
    recordEvent: buffer.event,
    rememberRouter: buffer.memory,
    async routerMemory(model) {
      await writer.flush();
      const tried = writer.unwritten()?.memories.get(model);
      const waiting = buffer.waitingMemory(model);
      const unsaved = waiting === undefined ? tried : mergedMemory(tried, waiting);
      if (unsaved === undefined) return read('routerMemory', model);
      const saved = unsaved.isPartial === true ? await read('routerMemory', model) : null;
      const { isPartial: _, homes, ...rest } = mergedMemory(saved ?? undefined, unsaved);
      return { ...rest, homes: homes.toSorted((a, b) => a.lastUsedAt - b.lastUsedAt) };
    },
    settings: () => read('settings'),
    saveSetting: (model, setting) =>
      link.ask('saveSetting', model, setting).catch((error) => notSaved(error, file, 'setting')),
    managedModels: () => read('managedModels'),
    saveManagedModel: (row) => link.ask('saveManagedModel', row).catch((error) => notSaved(error, file, 'model')),
    deleteManagedModel: (name) => link.ask('deleteManagedModel', name).catch((error) => notSaved(error, file, 'model')),
    removedModels: () => read('removedModels'),
    setModelRemoved: (name, at) =>
      link.ask('setModelRemoved', name, at).catch((error) => notSaved(error, file, 'model')),
    tokenSeries: (model, window, now) => read('tokenSeries', model, window, now),
    latencySeries: (model, window, now) => read('latencySeries', model, window, now),
    latencyWhole: (model, window, now) => read('latencyWhole', model, window, now),
    endingSeries: (model, window, now) => read('endingSeries', model, window, now),
    replicaSeries: (model, window, now) => read('replicaSeries', model, window, now),
    hitShareIn: (model, window, now) => read('hitShareIn', model, window, now),
    admissionSeries: (model, window, now) => read('admissionSeries', model, window, now),
    hitShare: (model, seconds, now) => read('hitShare', model, seconds, now),
    modelActivity: (now) => read('modelActivity', now),
    requests: (model, limit) => read('requests', model, limit),
    findRequests: (model, limit, search) => read('findRequests', model, limit, search),
    requestClients: () => read('requestClients'),
    events: (model, limit) => read('events', model, limit),
    eventsBetween: (model, from, to) => read('eventsBetween', model, from, to),
    addBenchmark: (run) => link.ask('addBenchmark', run).catch((error) => notSaved(error, file, 'benchmark')),
    endBenchmark: (id, end) => link.ask('endBenchmark', id, end).catch((error) => notSaved(error, file, 'benchmark')),
    deleteBenchmark: (id) => link.ask('deleteBenchmark', id).catch((error) => notSaved(error, file, 'benchmark')),
    benchmarks: (limit) => read('benchmarks', limit),
    benchmark: (id) => read('benchmark', id),
    unfinishedBenchmarks: () => read('unfinishedBenchmarks'),
    backlog: writer.backlog,
    access: () => read('access'),
    addPerson: (row) => save('account', 'addPerson', row),
    savePerson: (row) => save('account', 'savePerson', row),
    removePerson: (id, removed) => save('account', 'removePerson', id, removed),
    saveConsoleSession: (row) => save('session', 'saveConsoleSession', row),
    removeConsoleSessions: (hashes) => save('session', 'removeConsoleSessions', hashes),
    endConsoleSessions: (ended) => save('session', 'endConsoleSessions', ended),
    addApiKey: (row) => save('key', 'addApiKey', row),
    revokeApiKey: (id, at) => save('key', 'revokeApiKey', id, at),
    addAudit: (row) => save('entry of the audit list', 'addAudit', row),
    keyUsage: (fromMs, toMs) => read('keyUsage', fromMs, toMs),
    auditEntries: (filter) => read('auditEntries', filter),
    retention: () => read('retention'),
    saveRetention: (changes) => save('retention', 'saveRetention', changes),
    tableSizes() {
      measuring ??= measure().finally(() => {
        measuring = null;
      });
      return measuring;
    },
    fileSizes: () => read('fileSizes'),
    isInMemory: () => link.inMemory() !== null,
    warning() {
      const sentences = [memoryWarning(link, file), link.trouble() ?? writer.warning()];
      return sentences.filter((sentence) => sentence !== null).join(' ') || null;
    },
    flush: writer.flush,
    close() {
      closed ??= close();
      return closed;
    },
  };

  async function read<Name extends CallName>(
    call: Name,
    ...args: Parameters<Database[Name]>
  ): Promise<ReturnType<Database[Name]>> {
    try {
      return await link.ask(call, ...args);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new StoreError('unavailable', `${file} could not be read: ${message}`, error);
    }
  }

  async function save<Name extends CallName>(
    what: string,
    call: Name,
    ...args: Parameters<Database[Name]>
  ): Promise<ReturnType<Database[Name]>> {
    return await link.ask(call, ...args).catch((error: unknown) => notSaved(error, file, what));
  }

  /** Of those who ask at the same time, all get the answer that the first one brought about. */
  async function measure(): Promise<readonly TableSize[]> {
    for (;;) {
      const sizes = await read('measureTables');
      if (sizes !== null) return sizes;
    }
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    await writer.flush();
    const unsaved = writer.warning();
    if (unsaved !== null) log.error({ file }, unsaved);
    await link.close();
  }
}

function memoryWarning(link: WorkerLink, file: string): string | null {
  const failure = link.inMemory();
  if (failure === null) return null;
  const { cause, remedy } = troubleOf(failure);
  return `Statistics and settings will not survive a restart: ${file} is not used, ${cause}. ${remedy} Then start LM Warden again.`;
}

function notSaved(error: unknown, file: string, what: string): never {
  if (!(error instanceof DatabaseFailure)) throw error;
  const { cause, remedy } = troubleOf(error.failure);
  throw new StoreError('not_saved', `The ${what} was not saved to ${file}: ${cause}. ${remedy}`, error);
}
