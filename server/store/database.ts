import { writtenBatch } from '#drizzle/schema.ts';
import type {
  ApiKey,
  AuditFilter,
  AuditPage,
  ConsoleSession,
  EndedSession,
  KeyUsage,
  NewAuditEntry,
  NewPerson,
  Person,
  RemovedPerson,
  StoredAccess,
} from '#lib/access/types.ts';
import type { SeriesWindow } from '#lib/series/span.ts';
import { createAccessTables } from './access.ts';
import type { Batch, BatchResult } from './batch.ts';
import { createBenchmarkRuns } from './benchmarks.ts';
import { createEndings } from './endings.ts';
import { createEvents } from './events.ts';
import { createKeyUsage } from './key-usage.ts';
import { createLatency } from './latency.ts';
import { createManagedModels } from './managed-models.ts';
import { createModelActivities } from './model-activity.ts';
import { createModelIds } from './models.ts';
import type { Connection } from './open.ts';
import { createRequestSearch } from './request-search.ts';
import { createRequests } from './requests.ts';
import { createRetention, type RetainStep, type Retention } from './retention.ts';
import { createRetentionSettings, type RetentionChanges, type RetentionState } from './retention-settings.ts';
import { createRouterMemories } from './router-memory.ts';
import { createRowGuard } from './row-guard.ts';
import { createSamples } from './samples.ts';
import { createSettings } from './settings.ts';
import type {
  AdmissionBucket,
  BenchmarkEnd,
  BenchmarkRow,
  EndingBucket,
  EventRow,
  HitShare,
  LatencyBucket,
  ManagedModelRow,
  ModelActivity,
  ModelSetting,
  NewBenchmark,
  ReplicaSeries,
  RequestPage,
  RequestRow,
  RequestSearch,
  RouterMemory,
  TokenBucket,
  WholeLatency,
} from './store.ts';
import { createTableSizes, type FileSizes, type TableSize } from './table-sizes.ts';
import { createUsage } from './usage.ts';

/** The whole of the SQL, synchronous, over one connection. Every call throws what SQLite throws. */
export type Database = {
  /** One transaction: all of it or nothing. A batch that was written already is left alone. */
  writeBatch(batch: Batch): BatchResult;
  routerMemory(model: string): RouterMemory | null;
  settings(): ReadonlyMap<string, ModelSetting>;
  saveSetting(model: string, setting: ModelSetting): void;
  managedModels(): readonly ManagedModelRow[];
  saveManagedModel(row: ManagedModelRow): void;
  deleteManagedModel(name: string): void;
  removedModels(): readonly string[];
  setModelRemoved(name: string, at: number | null): void;
  tokenSeries(model: string | null, window: SeriesWindow, now: number): readonly TokenBucket[];
  latencySeries(model: string | null, window: SeriesWindow, now: number): readonly LatencyBucket[];
  latencyWhole(model: string | null, window: SeriesWindow, now: number): WholeLatency;
  endingSeries(model: string | null, window: SeriesWindow, now: number): readonly EndingBucket[];
  replicaSeries(model: string, window: SeriesWindow, now: number): readonly ReplicaSeries[];
  admissionSeries(model: string | null, window: SeriesWindow, now: number): readonly AdmissionBucket[];
  hitShare(model: string | null, seconds: number, now: number): HitShare;
  hitShareIn(model: string | null, window: SeriesWindow, now: number): HitShare;
  modelActivity(now: number): ReadonlyMap<string, ModelActivity>;
  requests(model: string | null, limit: number): readonly RequestRow[];
  findRequests(model: string | null, limit: number, search: RequestSearch): RequestPage;
  requestClients(): readonly string[];
  events(model: string | null, limit: number): readonly EventRow[];
  eventsBetween(model: string | null, from: number, to: number): readonly EventRow[];
  addBenchmark(run: NewBenchmark): number;
  endBenchmark(id: number, end: BenchmarkEnd): void;
  deleteBenchmark(id: number): void;
  benchmarks(limit: number): readonly BenchmarkRow[];
  benchmark(id: number): BenchmarkRow | null;
  unfinishedBenchmarks(): readonly BenchmarkRow[];
  access(): StoredAccess;
  addPerson(row: NewPerson): number;
  savePerson(row: Person): void;
  removePerson(id: number | null, removed: RemovedPerson): void;
  saveConsoleSession(row: ConsoleSession): void;
  removeConsoleSessions(tokenHashes: readonly string[]): void;
  /** Removes them, and remembers that they were ended. */
  endConsoleSessions(ended: readonly EndedSession[]): void;
  addApiKey(row: Omit<ApiKey, 'id'>): number;
  revokeApiKey(id: number, at: number): void;
  keyUsage(fromMs: number, toMs: number): readonly KeyUsage[];
  addAudit(row: NewAuditEntry): void;
  auditEntries(filter: AuditFilter): AuditPage;
  retention(): RetentionState;
  saveRetention(changes: RetentionChanges): void;
  /** A part of the work: null until the last one. */
  measureTables(): readonly TableSize[] | null;
  fileSizes(): FileSizes;
  retain: RetainStep;
  /** Brings the write-ahead log into the file and closes it. */
  close(): void;
};

export function createDatabase(connection: Connection, retention: Retention): Database {
  const models = createModelIds(connection);
  const requests = createRequests(connection, models);
  const requestSearch = createRequestSearch(connection);
  const usage = createUsage(connection);
  const latency = createLatency(connection);
  const endings = createEndings(connection);
  const activities = createModelActivities(connection);
  const keyUsage = createKeyUsage(connection);
  const access = createAccessTables(connection);
  const samples = createSamples(connection, models);
  const events = createEvents(connection, models);
  const settings = createSettings(connection, models);
  const managed = createManagedModels(connection);
  const benchmarks = createBenchmarkRuns(connection, models);
  const kept = createRetentionSettings(connection, retention);
  const sizes = createTableSizes(connection);
  const memories = createRouterMemories(connection, models);
  const writeAll = connection.sqlite.transaction((batch: Batch): BatchResult => {
    if (!isNew(connection, batch.id)) return { refused: 0, reason: null };
    const rows = createRowGuard(connection, () => models.forget());
    let firstSeq: number | null = null;
    for (const row of batch.requests) {
      rows.attempt(() => {
        const seq = requests.insert(row);
        firstSeq ??= seq;
      });
    }
    if (firstSeq !== null) {
      usage.rollUp(firstSeq);
      latency.rollUp(firstSeq);
      endings.rollUp(firstSeq);
      keyUsage.rollUp(firstSeq);
    }
    for (const row of batch.samples) rows.attempt(() => samples.insert(row));
    for (const row of batch.events) rows.attempt(() => events.insert(row));
    for (const [model, memory] of batch.memories) rows.attempt(() => memories.replace(model, memory));
    return rows.result();
  });

  return {
    writeBatch(batch) {
      try {
        return writeAll.immediate(batch);
      } catch (error) {
        models.forget();
        throw error;
      }
    },
    routerMemory: memories.read,
    settings: settings.all,
    saveSetting: settings.save,
    managedModels: managed.all,
    saveManagedModel: managed.save,
    deleteManagedModel: managed.remove,
    removedModels: managed.removedNames,
    setModelRemoved: managed.setRemoved,
    tokenSeries: usage.series,
    latencySeries: latency.series,
    latencyWhole: latency.whole,
    endingSeries: endings.series,
    admissionSeries: usage.admission,
    replicaSeries: samples.series,
    hitShare: usage.hitShare,
    hitShareIn: usage.hitShareIn,
    modelActivity: activities.all,
    requests: requestSearch.newest,
    findRequests: requestSearch.find,
    requestClients: requestSearch.clients,
    events: events.newest,
    eventsBetween: events.between,
    addBenchmark: benchmarks.add,
    endBenchmark: benchmarks.end,
    deleteBenchmark: benchmarks.remove,
    benchmarks: benchmarks.newest,
    benchmark: benchmarks.one,
    unfinishedBenchmarks: benchmarks.unfinished,
    access: access.all,
    addPerson: access.addPerson,
    savePerson: access.savePerson,
    removePerson: access.removePerson,
    saveConsoleSession: access.saveSession,
    removeConsoleSessions: access.removeSessions,
    endConsoleSessions: access.endSessions,
    addApiKey: access.addKey,
    revokeApiKey: access.revokeKey,
    keyUsage: keyUsage.between,
    addAudit: access.addAudit,
    auditEntries: access.auditEntries,
    retention: kept.state,
    saveRetention: kept.save,
    measureTables: sizes.measure,
    fileSizes: sizes.files,
    retain: createRetention(connection, () => kept.state().current),
    close() {
      sizes.close();
      connection.sqlite.close();
    },
  };
}

/** Marks the batch as written, in its transaction; false where it is the one that was written last. */
function isNew({ orm }: Connection, batch: string): boolean {
  if (orm.select().from(writtenBatch).get()?.batch === batch) return false;
  orm
    .insert(writtenBatch)
    .values({ one: 1, batch })
    .onConflictDoUpdate({ target: writtenBatch.one, set: { batch } })
    .run();
  return true;
}
