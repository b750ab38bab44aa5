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
import type { DecisionKind, ReplicaTally } from '#lib/routing/types.ts';
import type { BucketCount } from '#lib/series/latency-histogram.ts';
import type { SeriesWindow } from '#lib/series/span.ts';
import type { RetentionChanges, RetentionState } from './retention-settings.ts';
import type { FileSizes, TableSize } from './table-sizes.ts';

/** A sentence as its code and the values in it. */
export type Coded = { readonly code: string; readonly values: Readonly<Record<string, string | number>> };

/**
 * One finished request. Token counts are null where the engine did not report them. Times are ms since the epoch. It is
 * credited to the bucket in which it finished.
 */
export type RequestRow = {
  readonly id: string;
  readonly model: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly path: string;
  readonly client: string | null;
  /** Hash of the session key (never a raw id) and where the key came from. */
  readonly sessionHash: string | null;
  readonly sessionSource: string | null;
  readonly replica: number | null;
  readonly decision: DecisionKind;
  readonly reason: string;
  /** The reason, and why the turn missed the cache, in no language; null where there is none. */
  readonly why: Coded | null;
  readonly miss: Coded | null;
  readonly promptTokens: number | null;
  readonly cachedTokens: number | null;
  readonly completionTokens: number | null;
  /** Accepting the request to the first body byte sent on; null when none was sent. */
  readonly ttfbMs: number | null;
  /** How long admission held it; null in rows from before there was admission. */
  readonly queuedMs: number | null;
  /** Its conversation gave up its place to others with it. */
  readonly displaced: boolean;
  readonly status: number;
  readonly outcome: 'ok' | 'client_left' | 'engine_error' | 'upstream_failed';
  /** The key that the client presented; null where none was needed. */
  readonly apiKeyId: number | null;
};

/** Which requests are wanted, and in which order. What is absent does not matter. */
export type RequestSearch = {
  /** `slowest`: by time to the first byte; `longest`: by the time from accepting to finishing. Most first. */
  readonly order?: 'newest' | 'slowest' | 'longest';
  /** Finished then or later, ms since the epoch. */
  readonly since?: number;
  readonly decision?: DecisionKind;
  /** Null: the engine chose it. */
  readonly replica?: number | null;
  /** `failed`: refused, cut off or broken, except by its own client; a number: that very status. */
  readonly ending?: 'ok' | 'client_left' | 'failed' | number;
  /** "Claude Code 2.1.332", or "Claude Code" for all of its versions. */
  readonly client?: string;
  /** The hash of a session key, or its beginning; hex digits. */
  readonly session?: string;
  /** Behind this place. */
  readonly from?: RequestPlace;
};

/** Where a request stands: what the order is by (ms), and of those that have the same the number that it was stored as. */
export type RequestPlace = { readonly value: number; readonly seq: number };

/**
 * Requests that match. `next` is null where there are no more; else they go on behind it, also where fewer than asked
 * for were found, since a call looks at no more than some thousands.
 */
export type RequestPage = { readonly rows: readonly RequestRow[]; readonly next: RequestPlace | null };

/** One reading of one replica; counters are increments since the reading before (null: not reported). */
export type ReplicaSampleRow = {
  readonly model: string;
  readonly replica: number;
  readonly takenAt: number;
  readonly inFlight: number;
  readonly liveSessions: number;
  readonly running: number | null;
  readonly waiting: number | null;
  readonly kvUsage: number | null;
  readonly cachedTokens: number | null;
  readonly computedTokens: number | null;
};

export type EventRow = {
  readonly at: number;
  readonly model: string | null;
  /** `affinity_on`, `affinity_off`, `spill_threshold`, `cache_fit_on`, `cache_fit_off`, `yield_after`, `engine_restarted`, `engine_up`, `engine_down`, … */
  readonly kind: string;
  /** A sentence in English. */
  readonly detail: string;
  /** The values in the sentence, by name, for those who write it in another language. */
  readonly facts?: EventFacts | null;
};
export type EventFacts = Readonly<Record<string, string | number>>;

/** Homes come back in the order of their last use, oldest first. */
export type HomeRow = {
  readonly keyHash: string;
  readonly source: string;
  readonly replica: number;
  readonly lastUsedAt: number;
  readonly turns: number;
  /** True while the conversation was only ever one small request. */
  readonly small: boolean;
};

/** What the router remembers of a model over a restart of its own. */
export type RouterMemory = {
  readonly homes: readonly HomeRow[];
  /** Only the homes that changed are in it, and all others stay as they are. What is read is never so. */
  readonly isPartial?: boolean;
  readonly since: number;
  readonly tallies: readonly ReplicaTally[];
  readonly unrouted: number;
  /** The engine processes as last seen, to tell whether they restarted in between; one entry per URL. */
  readonly engines: readonly EngineMark[];
};

export type EngineMark = {
  readonly url: string;
  readonly processStartTime: number | null;
  /** Sum of the prompt and generation token counters over the ranks; smaller than before means a restart. */
  readonly tokensTotal: number | null;
  readonly ranks: number;
};

/** What the console set; null where the configuration decides. */
export type ModelSetting = {
  readonly affinity: boolean | null;
  readonly spillThreshold: number | 'auto' | null;
  readonly cacheFit: boolean | null;
  readonly yieldAfterMs: number | 'auto' | null;
};

export type TokenBucket = {
  readonly start: number;
  readonly cached: number;
  readonly computed: number;
  readonly completion: number;
  readonly requests: number;
  readonly measured: number;
  /** Prompt tokens of the measured requests. */
  readonly measuredPrompt: number;
};
/** Turns that admission held, in ms; `requests` are all. */
export type AdmissionBucket = {
  readonly start: number;
  readonly requests: number;
  readonly held: number;
  readonly heldMs: number;
  readonly heldMostMs: number;
  readonly displaced: number;
};
/** Milliseconds. `mean` is exact, the quantiles are within 10 %; null where `count` is 0. */
export type LatencySummary = {
  readonly count: number;
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
};
/**
 * `ttfb` counts requests that the engine answered without an error, also those whose client left later; `duration`
 * (accepting to finishing) those that ended well.
 */
export type LatencyBucket = {
  readonly start: number;
  readonly ttfb: LatencySummary;
  readonly duration: LatencySummary;
};

/** `ttfbCounts`: the histogram of `ttfb`, which can be added to another's. */
export type WholeLatency = Omit<LatencyBucket, 'start'> & { readonly ttfbCounts: readonly BucketCount[] };

/**
 * Shares, 0..1. `hitShare`: cached over all prompt tokens of the measured requests; null where none was measured.
 * `measuredShare`: prompt tokens of the measured requests over those of all; null where no request reported any.
 */
export type HitShare = { readonly hitShare: number | null; readonly measuredShare: number | null };

/** How many requests of a bucket went where they went for one reason and ended in one way. */
export type EndingCount = {
  readonly decision: DecisionKind;
  readonly outcome: RequestRow['outcome'];
  readonly status: number;
  readonly requests: number;
};
export type EndingBucket = { readonly start: number; readonly counts: readonly EndingCount[] };
/** What one model did lately, from its finished requests. Shares are 0..1 and null where nothing was measured. */
export type ModelActivity = {
  /** Over the last hour, as `hitShare` has it, and in 30 bars of two minutes. */
  readonly requests: number;
  readonly hitShare: number | null;
  readonly hitShares: readonly (number | null)[];
  /** Over the last 15 minutes, within 10 %. */
  readonly ttfbP50Ms: number | null;
  readonly ttfbP95Ms: number | null;
  /** Over the last five minutes; the prompt tokens are those asked for, cached ones included. */
  readonly promptTokensPerSecond: number;
  readonly completionTokensPerSecond: number;
};

/** A gauge over the readings of a bucket of time. */
export type GaugeSummary = { readonly mean: number; readonly max: number };
/** What the readings of one replica say of a bucket; each field is null where no reading reported it. */
export type ReplicaBucket = {
  readonly start: number;
  readonly inFlight: GaugeSummary | null;
  readonly liveSessions: GaugeSummary | null;
  readonly running: GaugeSummary | null;
  readonly waiting: GaugeSummary | null;
  /** 0..1. */
  readonly kvUsage: GaugeSummary | null;
  /** Share of the readings that had running requests, 0..1. Summed over the replicas: "replicas busy". */
  readonly busyShare: number | null;
  readonly cachedTokens: number | null;
  readonly computedTokens: number | null;
};
export type ReplicaSeries = { readonly replica: number; readonly buckets: readonly ReplicaBucket[] };

/**
 * A model that was added in the console. `config`: JSON of its entry, without the key. The key is for the engine alone:
 * it must not get into an answer or a log.
 */
export type ManagedModelRow = {
  readonly name: string;
  readonly config: string;
  readonly apiKey: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type BenchmarkStatus = 'running' | 'finished' | 'cancelled' | 'failed' | 'interrupted';
/** A benchmark that begins. `…Before`: the model's settings then (null: the configuration decided). */
export type NewBenchmark = {
  readonly model: string;
  readonly startedAt: number;
  readonly affinityBefore: boolean | null;
  readonly cacheFitBefore: boolean | null;
  readonly planJson: string;
};
/** `reportJson`: null where no step was measured. */
export type BenchmarkEnd = {
  readonly finishedAt: number;
  readonly status: Exclude<BenchmarkStatus, 'running'>;
  readonly reportJson: string | null;
  readonly error: string | null;
};
export type BenchmarkRow = NewBenchmark & {
  readonly id: number;
  readonly finishedAt: number | null;
  readonly status: BenchmarkStatus;
  readonly reportJson: string | null;
  readonly error: string | null;
};

/**
 * The database as the rest of the server sees it. The `record…` calls only put a row into a bounded buffer in memory
 * and never throw; the buffer goes to the worker thread once a second. Reads run in the worker, off the event loop.
 * `start` fields of buckets are unix seconds.
 */
export type Store = {
  recordRequest(row: RequestRow): void;
  recordSample(row: ReplicaSampleRow): void;
  recordEvent(row: EventRow): void;
  /** Replaces what is remembered of a model (of its homes those that are given, where it is partial), with the next batch. */
  rememberRouter(model: string, memory: RouterMemory): void;
  /** What was remembered last, written or not. */
  routerMemory(model: string): Promise<RouterMemory | null>;
  settings(): Promise<ReadonlyMap<string, ModelSetting>>;
  /**
   * Durable when it resolves, unless `warning()` says that this run is kept in memory; rejects with a `StoreError` when
   * it could not be saved.
   */
  saveSetting(model: string, setting: ModelSetting): Promise<void>;
  /** In the order in which they were added. */
  managedModels(): Promise<readonly ManagedModelRow[]>;
  /** Durable like a setting. Replaces what is there under the name, its `createdAt` excepted. */
  saveManagedModel(row: ManagedModelRow): Promise<void>;
  deleteManagedModel(name: string): Promise<void>;
  /** Names of models that would be there by themselves and were removed. */
  removedModels(): Promise<readonly string[]>;
  /** `at` null: it is there again. */
  setModelRemoved(name: string, at: number | null): Promise<void>;
  /** Dense buckets. `model` null: all models. */
  tokenSeries(model: string | null, window: SeriesWindow, now: number): Promise<readonly TokenBucket[]>;
  latencySeries(model: string | null, window: SeriesWindow, now: number): Promise<readonly LatencyBucket[]>;
  /** Of all requests of the window; quantiles do not add up from those of its buckets. */
  latencyWhole(model: string | null, window: SeriesWindow, now: number): Promise<WholeLatency>;
  endingSeries(model: string | null, window: SeriesWindow, now: number): Promise<readonly EndingBucket[]>;
  admissionSeries(model: string | null, window: SeriesWindow, now: number): Promise<readonly AdmissionBucket[]>;
  /** Dense buckets of each replica that has readings in the range, by number. */
  replicaSeries(model: string, window: SeriesWindow, now: number): Promise<readonly ReplicaSeries[]>;
  /** Over the last `seconds`, in the buckets of the chart of that length: it agrees with the sums of that chart. */
  hitShare(model: string | null, seconds: number, now: number): Promise<HitShare>;
  /** The same over the buckets of a window. */
  hitShareIn(model: string | null, window: SeriesWindow, now: number): Promise<HitShare>;
  /** By name; models without a request in the last hour are left out. */
  modelActivity(now: number): Promise<ReadonlyMap<string, ModelActivity>>;
  /** Newest first. */
  requests(model: string | null, limit: number): Promise<readonly RequestRow[]>;
  /** Newest first where `search` asks for no other order. */
  findRequests(model: string | null, limit: number, search: RequestSearch): Promise<RequestPage>;
  /** The names of all clients in the stored requests, in alphabetical order; at most 500. */
  requestClients(): Promise<readonly string[]>;
  events(model: string | null, limit: number): Promise<readonly EventRow[]>;
  /** Newest first, at most 1000; ms since the epoch, `from` included, `to` not. */
  eventsBetween(model: string | null, from: number, to: number): Promise<readonly EventRow[]>;
  /** Durable like a setting; resolves with the run's number. */
  addBenchmark(run: NewBenchmark): Promise<number>;
  endBenchmark(id: number, end: BenchmarkEnd): Promise<void>;
  deleteBenchmark(id: number): Promise<void>;
  /** Newest first; `reportJson` is only the `rows` of the report. */
  benchmarks(limit: number): Promise<readonly BenchmarkRow[]>;
  benchmark(id: number): Promise<BenchmarkRow | null>;
  /** Runs that were under way when a process ended without ending them. */
  unfinishedBenchmarks(): Promise<readonly BenchmarkRow[]>;
  /** Rows that wait in memory, and how many were lost since the start. */
  backlog(): { readonly waiting: number; readonly dropped: number };
  /** Who may enter, and who is signed in. What the next calls save is durable like a setting. */
  access(): Promise<StoredAccess>;
  addPerson(row: NewPerson): Promise<number>;
  savePerson(row: Person): Promise<void>;
  /** Ends their sessions as well. */
  removePerson(id: number | null, removed: RemovedPerson): Promise<void>;
  saveConsoleSession(row: ConsoleSession): Promise<void>;
  removeConsoleSessions(tokenHashes: readonly string[]): Promise<void>;
  /** Removes them, and remembers that they were ended. */
  endConsoleSessions(ended: readonly EndedSession[]): Promise<void>;
  addApiKey(row: Omit<ApiKey, 'id'>): Promise<number>;
  revokeApiKey(id: number, at: number): Promise<void>;
  /** What each key used from `fromMs` (included) to `toMs` (excluded); keys that used nothing are left out. */
  keyUsage(fromMs: number, toMs: number): Promise<readonly KeyUsage[]>;
  addAudit(row: NewAuditEntry): Promise<void>;
  /** Newest first; a call looks at no more than some thousands, and says where to go on. */
  auditEntries(filter: AuditFilter): Promise<AuditPage>;
  /** How long things are kept. */
  retention(): Promise<RetentionState>;
  /** Durable like a setting; deleting what is now too old begins within a minute. */
  saveRetention(changes: RetentionChanges): Promise<void>;
  /** Of every table; reads the whole file, some pages at a time. */
  tableSizes(): Promise<readonly TableSize[]>;
  fileSizes(): Promise<FileSizes>;
  /** True where the file cannot be used, so that nothing of before is known. */
  isInMemory(): boolean;
  /** Null when all is well; else a sentence for the console's banner. Degrades, never stops a request. */
  warning(): string | null;
  /** Resolves when what is buffered is written, or when writing it failed; `warning()` tells which. */
  flush(): Promise<void>;
  /** Writes what is buffered and lets go of the database file. */
  close(): Promise<void>;
};
