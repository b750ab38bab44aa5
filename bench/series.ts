import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { RANGE_NAMES, type RangeName } from '#lib/series/range.ts';
import { customSpan, type Span } from '#lib/series/span.ts';
import { createDatabase, type Database } from '#server/store/database.ts';
import { openConnection } from '#server/store/open.ts';
import { DEFAULT_RETENTION } from '#server/store/retention.ts';
import type { ReplicaSampleRow, RequestRow } from '#server/store/store.ts';

/*
 * What the charts' queries take at 30 days of readings of eight replicas and a million requests. With `--data DIR` the
 * database stays there, to open the console on it.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    model: { type: 'string', default: 'qwen3-4b-dp4' },
    json: { type: 'boolean', default: false },
  },
});
const REQUESTS = Number(values.requests);
const REPLICAS = 8;
const DAY_MS = 86_400_000;
const DAYS = 30;
const RAW_DAYS = 2;
const ROWS_A_BATCH = 5000;
const REPEATS = 5;
const KEPT = { raw: DEFAULT_RETENTION.rawHours * 3600, minutes: DEFAULT_RETENTION.minuteDays * 86_400 };

const dir = values.data === undefined ? mkdtempSync(join(tmpdir(), 'lm-warden-series-')) : resolve(values.data);
mkdirSync(dir, { recursive: true });
const connection = openConnection(join(dir, 'warden.db'), resolve('drizzle/migrations'));
const database = createDatabase(connection, DEFAULT_RETENTION);
const now = Date.now();
let batches = 0;
fill(database);
const rows = measure(database);
if (values.json) console.log(JSON.stringify({ requests: REQUESTS, replicas: REPLICAS, days: DAYS, rows }));
else console.table(rows);
connection.sqlite.close();
if (values.data === undefined) rmSync(dir, { recursive: true, force: true });

function fill(into: Database): void {
  const began = performance.now();
  const span = DAYS * DAY_MS;
  inBatches(
    REQUESTS,
    (index) => request(now - span + (index * span) / REQUESTS, index),
    (requests) => write(into, requests, []),
  );
  // As often as an engine is read for the time that readings are kept one by one, once a minute before that.
  for (const [from, to, every] of [
    [now - span, now - RAW_DAYS * DAY_MS, 60_000],
    [now - RAW_DAYS * DAY_MS, now, 5000],
  ] as const) {
    const count = Math.floor((to - from) / every) * REPLICAS;
    const one = (index: number) => sample(from + Math.floor(index / REPLICAS) * every, index % REPLICAS);
    inBatches(count, one, (samples) => write(into, [], samples));
  }
  while (into.retain(now));
  console.error(`filled in ${Math.round((performance.now() - began) / 1000)} s`);
}

function inBatches<Row>(count: number, row: (index: number) => Row, send: (rows: Row[]) => void): void {
  for (let start = 0; start < count; start += ROWS_A_BATCH) {
    const length = Math.min(ROWS_A_BATCH, count - start);
    send(Array.from({ length }, (_, index) => row(start + index)));
  }
}

function write(into: Database, requests: RequestRow[], samples: ReplicaSampleRow[]): void {
  batches += 1;
  into.writeBatch({ id: `bench ${batches}`, requests, samples, events: [], memories: new Map() });
}

/** Spread without chance, so that two runs measure the same. */
function wave(index: number, period: number): number {
  return (1 + Math.sin((2 * Math.PI * index) / period)) / 2;
}

function request(finishedAt: number, index: number): RequestRow {
  const prompt = 8000 + Math.round(30_000 * wave(index, 977));
  const ttfbMs = Math.round(100 + 4000 * wave(index, 613) ** 6);
  return {
    id: `bench-${index}`,
    model: values.model,
    startedAt: finishedAt - ttfbMs - 3000,
    finishedAt,
    path: '/v1/messages',
    client: 'claude-cli/2.1',
    sessionHash: `session-${index % 500}`,
    sessionSource: 'x-claude-code-session-id',
    replica: index % REPLICAS,
    decision: index % 50 === 0 ? 'placed' : index % 37 === 0 ? 'spilled' : 'sticky',
    reason: 'its home has room',
    why: null,
    miss: null,
    queuedMs: index % 97 === 0 ? 4000 : 0,
    displaced: index % 997 === 0,
    apiKeyId: null,
    promptTokens: prompt,
    cachedTokens: Math.round(prompt * (0.6 + 0.35 * wave(index, 431))),
    completionTokens: 100 + (index % 300),
    ttfbMs,
    status: index % 211 === 0 ? 502 : 200,
    outcome: index % 211 === 0 ? 'upstream_failed' : 'ok',
  };
}

function sample(takenAt: number, replica: number): ReplicaSampleRow {
  const index = Math.floor(takenAt / 60_000) + replica * 40;
  return {
    model: values.model,
    replica,
    takenAt,
    inFlight: Math.round(8 * wave(index, 300)),
    liveSessions: 5,
    running: Math.round(7 * wave(index, 300)),
    waiting: Math.round(3 * wave(index, 170) ** 4),
    kvUsage: 0.2 + 0.09 * replica + 0.1 * wave(index, 200),
    cachedTokens: 8000 + Math.round(4000 * wave(index, 260)),
    computedTokens: 2000 + 300 * replica,
  };
}

function measure(of: Database) {
  const seconds = Math.floor(now / 1000);
  const windows: (RangeName | Span)[] = [...RANGE_NAMES, customSpan(seconds - 2 * 86_400, seconds, seconds, KEPT)];
  const calls = {
    tokens: (window: RangeName | Span) => of.tokenSeries(null, window, now),
    latency: (window: RangeName | Span) => of.latencySeries(null, window, now),
    'latency, whole': (window: RangeName | Span) => of.latencyWhole(null, window, now),
    'decisions and errors': (window: RangeName | Span) => of.endingSeries(null, window, now),
    replicas: (window: RangeName | Span) => of.replicaSeries(values.model, window, now),
    admission: (window: RangeName | Span) => of.admissionSeries(null, window, now),
  };
  return Object.entries(calls).map(([query, call]) => ({
    query,
    ...Object.fromEntries(
      windows.map((window) => [typeof window === 'string' ? window : '2 days', median(() => call(window))]),
    ),
  }));
}

/** Milliseconds. */
function median(call: () => unknown): number {
  const times = Array.from({ length: REPEATS }, () => {
    const began = performance.now();
    call();
    return performance.now() - began;
  }).sort((a, b) => a - b);
  return Number((times[Math.floor(REPEATS / 2)] ?? 0).toFixed(1));
}
