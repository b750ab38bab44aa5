import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RANGE_NAMES } from '#lib/series/range.ts';
import { buildStoreWorker } from '#server/store/build-worker-for-tests.ts';
import { createDatabase, type Database } from '#server/store/database.ts';
import { MIGRATIONS_DIR, requestRow, sampleRow } from '#server/store/fixtures-for-tests.ts';
import { type Connection, openConnection } from '#server/store/open.ts';
import { openStore } from '#server/store/open-store.ts';
import { DEFAULT_RETENTION } from '#server/store/retention.ts';
import type { RequestRow, RequestSearch } from '#server/store/store.ts';
import { FILLED, fillDatabase } from './million-requests.ts';
import { type Watched, watchReads } from './watched-reads.ts';

/*
 * A file with a million requests and a year of sums. Every call of the database is made on it; what is judged is what
 * SQLite plans to do and how many pages it reads, which no other process can make more of.
 */

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const REQUESTS = 1_000_000;
/** Pages that a read may touch; the file has well over a hundred thousand, and its smallest large table 300. */
const FEW_PAGES = 350;
/** A step of a search looks at 5,000 requests, each of which may be on a page of its own; a step of measuring is 1,000. */
const PAGES_OF_A_STEP = 6_500;

/** Tables that stay small whatever comes in: what people enter, one row a model or a replica, one row at all, a month of ends. */
const SMALL = [
  '__drizzle_migrations',
  'api_key',
  'benchmark',
  'console_session',
  'ended_session',
  'engine_mark',
  'managed_model',
  'model',
  'person',
  'removed_model',
  'removed_person',
  'retention_setting',
  'router',
  'setting',
  'tally',
  'written_batch',
];

const MODELS = [null, FILLED.models[0], 'small', 'a model that is not there'];
const ENTRY = {
  at: NOW,
  actor: 'asha',
  role: 'admin',
  address: null,
  action: 'x',
  subject: null,
  before: null,
  after: null,
};
const ALL_ENTRIES = { actor: null, action: null, text: null, sinceMs: null, beforeSeq: null, limit: 100 };
const PERSON = {
  name: 'asha',
  role: 'admin',
  passwordHash: 'x',
  createdAt: NOW,
  passwordChangedAt: NOW,
  generation: 1,
  roleVersion: 1,
  passwordVersion: 1,
} as const;
const SESSION = { tokenHash: 'x', personId: 1, createdAt: NOW, lastUsedAt: NOW, passwordVersion: 1 };
const RUN = { model: 'qwen', startedAt: NOW, affinityBefore: null, cacheFitBefore: null, planJson: '{}' };
const MANAGED = { name: 'new', config: '{}', apiKey: null, createdAt: NOW, updatedAt: NOW };
const SETTING = { affinity: true, spillThreshold: null, cacheFit: null, yieldAfterMs: null };

const SEARCHES: readonly RequestSearch[] = [
  {},
  { replica: 2 },
  { replica: 9 },
  { replica: null },
  { decision: 'sticky' },
  { decision: 'spilled', replica: 3 },
  { decision: 'sticky', replica: 9 },
  { decision: 'balanced' },
  { ending: 'ok' },
  { ending: 'failed', replica: 9 },
  { ending: 'client_left', decision: 'spilled' },
  { ending: 503 },
  { ending: 418 },
  { ending: 201 },
  { client: 'curl 8', ending: 201 },
  { client: 'Claude Code', ending: 201 },
  { client: 'nobody' },
  { session: '9' },
  { session: '9e3779b1', decision: 'sticky' },
  { session: 'ffffffffffff' },
  { since: NOW - HOUR_MS, replica: 1 },
  { since: NOW - 24 * HOUR_MS },
  { since: NOW - 24 * HOUR_MS, replica: 9 },
];
const ORDERS = ['newest', 'slowest', 'longest'] as const;

type Reads = 'few pages' | 'a step';
/** Every call there is, and how much of the file it may read. A call that is missing does not compile. */
const CALLS: { readonly [Name in keyof Database]: readonly [Reads, (database: Database) => void] } = {
  writeBatch: ['few pages', writeEverything],
  routerMemory: ['few pages', (database) => void expect(database.routerMemory('qwen')?.homes).toHaveLength(3)],
  settings: ['few pages', (database) => database.settings()],
  saveSetting: ['few pages', (database) => database.saveSetting('qwen', SETTING)],
  managedModels: ['few pages', (database) => database.managedModels()],
  saveManagedModel: ['few pages', (database) => database.saveManagedModel(MANAGED)],
  deleteManagedModel: ['few pages', (database) => database.deleteManagedModel('new')],
  removedModels: ['few pages', (database) => database.removedModels()],
  setModelRemoved: ['few pages', (database) => database.setModelRemoved('gone', NOW)],
  tokenSeries: ['few pages', inAllWindows((database, ...of) => database.tokenSeries(...of))],
  latencySeries: ['few pages', inAllWindows((database, ...of) => database.latencySeries(...of))],
  latencyWhole: ['few pages', inAllWindows((database, ...of) => database.latencyWhole(...of))],
  endingSeries: ['few pages', inAllWindows((database, ...of) => database.endingSeries(...of))],
  admissionSeries: ['few pages', inAllWindows((database, ...of) => database.admissionSeries(...of))],
  hitShareIn: ['few pages', inAllWindows((database, ...of) => database.hitShareIn(...of))],
  replicaSeries: ['few pages', inAllWindows((database, of, ...when) => database.replicaSeries(of ?? 'qwen', ...when))],
  hitShare: ['few pages', forAllModels((database, model) => database.hitShare(model, 3600, NOW))],
  modelActivity: ['few pages', (database) => database.modelActivity(NOW)],
  requests: ['few pages', forAllModels((database, model) => database.requests(model, 100))],
  findRequests: ['a step', forAllModels(searchForEverything)],
  requestClients: ['few pages', (database) => void expect(database.requestClients()).toHaveLength(FILLED.clients + 1)],
  events: ['few pages', forAllModels((database, model) => database.events(model, 100))],
  eventsBetween: ['few pages', forAllModels((database, model) => database.eventsBetween(model, NOW - HOUR_MS, NOW))],
  addBenchmark: ['few pages', (database) => database.addBenchmark(RUN)],
  endBenchmark: [
    'few pages',
    (database) => database.endBenchmark(1, { finishedAt: NOW, status: 'finished', reportJson: null, error: null }),
  ],
  benchmarks: ['few pages', (database) => database.benchmarks(50)],
  benchmark: ['few pages', (database) => database.benchmark(1)],
  unfinishedBenchmarks: ['few pages', (database) => database.unfinishedBenchmarks()],
  deleteBenchmark: ['few pages', (database) => database.deleteBenchmark(1)],
  access: ['few pages', (database) => void expect(database.access().lastUsed.size).toBe(FILLED.keys)],
  addPerson: ['few pages', (database) => database.addPerson(PERSON)],
  savePerson: ['few pages', (database) => database.savePerson({ id: 1, ...PERSON })],
  saveConsoleSession: ['few pages', (database) => database.saveConsoleSession(SESSION)],
  endConsoleSessions: ['few pages', (database) => database.endConsoleSessions([{ tokenHash: 'y', endedAt: NOW }])],
  removeConsoleSessions: ['few pages', (database) => database.removeConsoleSessions(['x'])],
  removePerson: [
    'few pages',
    (database) => database.removePerson(1, { nameKey: 'asha', generation: 1, removedAt: NOW }),
  ],
  addApiKey: ['few pages', addKey],
  revokeApiKey: ['few pages', (database) => database.revokeApiKey(1, NOW)],
  keyUsage: ['few pages', (database) => database.keyUsage(NOW - 30 * 24 * HOUR_MS, NOW)],
  addAudit: ['few pages', (database) => database.addAudit(ENTRY)],
  auditEntries: [
    'few pages',
    (database) => {
      database.auditEntries(ALL_ENTRIES);
      database.auditEntries({ ...ALL_ENTRIES, actor: 'nobody', action: 'x', text: 'nowhere', sinceMs: 0 });
      database.auditEntries({ ...ALL_ENTRIES, beforeSeq: 50_000, actor: 'nobody' });
    },
  ],
  retention: ['few pages', (database) => database.retention()],
  saveRetention: ['few pages', (database) => database.saveRetention({ requestDays: 6 })],
  measureTables: ['a step', (database) => database.measureTables()],
  fileSizes: ['few pages', (database) => database.fileSizes()],
  // A chunk of five thousand requests stands in ten trees.
  retain: ['a step', (database) => void database.retain(NOW)],
  close: ['few pages', () => {}],
};

let folder: string;
let connection: Connection;
let database: Database;
let statements: ReadonlyMap<string, Watched>;
let tables: ReadonlyMap<string, number>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lm-warden-million-'));
  const file = join(folder, 'warden.db');
  const filling = openConnection(file, MIGRATIONS_DIR).sqlite;
  fillDatabase(filling, { requests: REQUESTS, now: NOW });
  filling.close();
  connection = openConnection(file, MIGRATIONS_DIR);
  statements = watchReads(connection.sqlite);
  database = createDatabase(connection, DEFAULT_RETENTION);
}, 120_000);
afterAll(() => {
  connection.sqlite.close();
  rmSync(folder, { recursive: true, force: true });
});

function sizes() {
  let found = database.measureTables();
  while (found === null) found = database.measureTables();
  return found;
}

/** The pages that the costliest statement of a call read. */
function pagesOf(call: () => void): number {
  for (const watched of statements.values()) watched.pages = 0;
  call();
  return Math.max(0, ...[...statements.values()].map(({ pages }) => pages));
}

describe('with a million requests', () => {
  it('the size of every table is known, and each is either full here or one that stays small', () => {
    const found = sizes();
    tables = new Map(found.map(({ name, rows }) => [name, rows]));
    expect(tables.get('request')).toBe(REQUESTS);
    expect(found.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(
      0.98 * statSync(join(folder, 'warden.db')).size,
    );
    const small = [...tables].filter(([, rows]) => rows < 5000).map(([name]) => name);
    expect(small.toSorted()).toEqual(SMALL);
  });

  it('a page of requests is found as if all were looked at, whatever is asked for', () => {
    const searches: readonly RequestSearch[] = [
      { order: 'slowest', replica: 2 },
      { order: 'longest', client: 'Claude Code', ending: 'ok' },
      { order: 'newest', replica: 1, decision: 'failed_over' },
      { order: 'slowest', since: NOW - 24 * HOUR_MS },
    ];
    const where = [
      'replica = 2 AND ttfb_ms IS NOT NULL ORDER BY ttfb_ms DESC',
      `client LIKE 'Claude Code%' AND status < 400 AND outcome = 'ok' ORDER BY finished_ms - started_ms DESC`,
      `replica = 1 AND decision = 'failed_over' ORDER BY finished_ms DESC`,
      `finished_ms >= ${NOW - 24 * HOUR_MS} ORDER BY ttfb_ms DESC`,
    ];
    const other = new Sqlite(join(folder, 'warden.db'), { readonly: true });
    for (const [index, search] of searches.entries()) {
      const sql = `SELECT id FROM request NOT INDEXED WHERE ${where[index]}, seq DESC LIMIT 200`;
      const all = other.prepare<[], string>(sql).pluck().all();
      expect(
        pagesThrough(search, 200).map(({ id }) => id),
        JSON.stringify(search),
      ).toEqual(all);
    }
    other.close();
  });

  it('what is nowhere is looked for to the end, in steps', () => {
    expect(pagesThrough({ decision: 'spilled', replica: 9 }, 1)).toEqual([]);
  });

  it.each(Object.entries(CALLS))('%s reads a small part of it', (name, [reads, call]) => {
    const pages = pagesOf(() => call(database));
    const most = reads === 'few pages' ? FEW_PAGES : name === 'retain' ? 10 * PAGES_OF_A_STEP : PAGES_OF_A_STEP;
    expect(pages).toBeLessThan(most);
  });

  it('the clean-up of half an hour reads what it deletes', () => {
    let steps = 0;
    while (database.retain(NOW + HOUR_MS / 2)) steps += 1;
    expect(steps).toBeGreaterThan(2);
  });

  it('no statement reads a large table from end to end, and there is none that was not run', () => {
    const large = [...tables.keys()].filter((name) => !SMALL.includes(name)).join('|');
    const faults = [...statements.values()].flatMap(({ sql, plan }) => {
      if (plan === null) return [`never run: ${sql}`];
      // An index read in its order, as far as LIMIT goes, is as good as a search: the pages tell.
      const scan = new RegExp(`SCAN (${large})${/\blimit\b/i.test(sql) ? '$' : '\\b'}`);
      return plan.filter((step) => scan.test(step)).map((step) => `${step}: ${sql}`);
    });
    expect(faults).toEqual([]);
    expect(statements.size).toBeGreaterThan(80);
  });
});

it('while the tables are measured, for Settings, all else is answered', async () => {
  const count = connection.sqlite.prepare<[], number>('SELECT COUNT(*) FROM request').pluck().get();
  connection.sqlite.close();
  const store = await openStore({
    dataDir: folder,
    migrationsDir: MIGRATIONS_DIR,
    workerUrl: await buildStoreWorker(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const answered: string[] = [];
  const measured = Promise.all([store.tableSizes(), store.tableSizes()]).then(([sizes]) => {
    answered.push('sizes');
    return sizes;
  });
  for (let asked = 0; asked < 5; asked += 1) {
    expect(await store.requests(null, 50)).toHaveLength(50);
    answered.push('requests');
  }
  const sizes = await measured;
  await store.close();
  expect(answered).toEqual([...Array.from({ length: 5 }, () => 'requests'), 'sizes']);
  expect(sizes.find(({ name }) => name === 'request')).toMatchObject({ rows: count });
}, 60_000);

it('there is a way to call everything that the database can be asked', () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(Object.keys(database).toSorted());
});

function pagesThrough(search: RequestSearch, count: number): readonly RequestRow[] {
  const rows: RequestRow[] = [];
  let from: RequestSearch['from'];
  for (let step = 0; step <= REQUESTS / 5000 + 1; step += 1) {
    const page = database.findRequests(null, count - rows.length, {
      ...search,
      ...(from === undefined ? {} : { from }),
    });
    rows.push(...page.rows);
    if (page.next === null || rows.length >= count) return rows;
    from = page.next;
  }
  throw new Error('the search does not come to its end');
}

function searchForEverything(asked: Database, model: string | null): void {
  for (const order of ORDERS) for (const search of SEARCHES) asked.findRequests(model, 50, { order, ...search });
}

type Windowed = (
  database: Database,
  model: string | null,
  window: (typeof RANGE_NAMES)[number],
  now: number,
) => unknown;

function inAllWindows(call: Windowed): (database: Database) => void {
  return forAllModels((asked, model) => {
    for (const range of RANGE_NAMES) call(asked, model, range, NOW);
  });
}

function forAllModels(call: (database: Database, model: string | null) => unknown): (database: Database) => void {
  return (asked) => {
    for (const model of MODELS) call(asked, model);
  };
}

function addKey(asked: Database): void {
  const limits = { expiresAt: null, revokedAt: null, models: null, requestsPerMinute: null, concurrentRequests: null };
  asked.addApiKey({ name: 'x', prefix: 'x', keyHash: 'x', createdAt: NOW, createdBy: 'asha', ...limits });
}

/** Of everything something; homes whole, then some of them, then others, so that some are deleted. */
function writeEverything(asked: Database): void {
  const home = (keyHash: string) => ({ keyHash, source: 'x', replica: 0, lastUsedAt: NOW, turns: 1, small: false });
  const tally = { placed: 0, sticky: 0, spilledIn: 0, failedOverIn: 0, clientPinned: 0, balanced: 0 };
  const engine = { url: 'http://e', processStartTime: 1, tokensTotal: 1, ranks: 1 };
  const memory = { since: NOW, unrouted: 0, tallies: [tally], engines: [engine] };
  const batches = [
    { ...memory, homes: ['a', 'b'].map(home) },
    { ...memory, homes: ['c'].map(home), isPartial: true },
    { ...memory, homes: ['a', 'c', 'd'].map(home) },
  ];
  for (const [index, homes] of batches.entries()) {
    asked.writeBatch({
      id: `batch ${index}`,
      requests: [requestRow({ id: `written ${index}`, finishedAt: NOW, apiKeyId: 1 })],
      samples: [sampleRow({ takenAt: NOW + index })],
      events: [{ at: NOW, model: 'qwen', kind: 'engine_up', detail: 'up' }],
      memories: new Map([['qwen', homes]]),
    });
  }
}
