import { describe, expect, it } from 'vitest';
import type { Batch } from './batch.ts';
import { requestRow, sampleRow, temporaryDatabase, write } from './fixtures-for-tests.ts';

const NOW = 1_800_000_000_000;
const EMPTY: Omit<Batch, 'id'> = { requests: [], samples: [], events: [], memories: new Map() };

describe('a batch', () => {
  it('is written once, also when it is sent twice', () => {
    const { database } = temporaryDatabase();
    const batch = { ...EMPTY, id: 'a', requests: [requestRow({ finishedAt: NOW })] };
    database.writeBatch(batch);
    database.writeBatch(batch);
    expect(database.requests(null, 10)).toHaveLength(1);
    expect(database.tokenSeries(null, '1h', NOW).at(-1)?.requests).toBe(1);
  });

  it('is written as a whole or not at all, and can be written again when the disk has space', () => {
    const { database, connection } = temporaryDatabase();
    const requests = Array.from({ length: 2000 }, (_, index) => requestRow({ id: `${index}`, finishedAt: NOW }));
    const batch = { ...EMPTY, id: 'large', requests };
    const pages = connection.sqlite.pragma('page_count', { simple: true });
    connection.sqlite.pragma(`max_page_count = ${Number(pages) + 20}`);
    expect(() => database.writeBatch(batch)).toThrow(expect.objectContaining({ code: 'SQLITE_FULL' }));
    expect(database.requests(null, 10)).toEqual([]);
    expect(database.tokenSeries(null, '1h', NOW).at(-1)?.requests).toBe(0);

    connection.sqlite.pragma('max_page_count = 1000000');
    expect(database.writeBatch(batch)).toEqual({ refused: 0, reason: null });
    expect(database.requests('qwen', 5000)).toHaveLength(2000);
    expect(database.tokenSeries('qwen', '1h', NOW).at(-1)?.requests).toBe(2000);
  });

  it('can be written again with its new model when its sums could not be written', () => {
    const { database, connection } = temporaryDatabase();
    const batch = { ...EMPTY, id: 'new model', requests: [requestRow({ model: 'new', finishedAt: NOW })] };
    connection.sqlite.exec(
      "CREATE TEMP TRIGGER broken BEFORE INSERT ON usage_1h BEGIN SELECT RAISE(ABORT, 'broken for the test'); END",
    );
    expect(() => database.writeBatch(batch)).toThrow('broken for the test');
    connection.sqlite.exec('DROP TRIGGER broken');
    expect(database.writeBatch(batch)).toEqual({ refused: 0, reason: null });
    expect(database.requests('new', 10)).toHaveLength(1);
  });

  it('is written without a row that the tables refuse', () => {
    const { database } = temporaryDatabase();
    const requests = [
      requestRow({ id: 'good', finishedAt: NOW }),
      requestRow({ id: 'bad', model: 'new', finishedAt: Number.NaN }),
      requestRow({ id: 'good too', model: 'new', finishedAt: NOW + 1 }),
    ];
    const result = database.writeBatch({ ...EMPTY, id: 'mixed', requests });
    expect(result.refused).toBe(1);
    expect(result.reason).toContain('started_ms');
    expect(database.requests(null, 10).map((row) => row.id)).toEqual(['good too', 'good']);
    expect(database.tokenSeries('new', '1h', NOW).at(-1)?.requests).toBe(1);
  });
});

describe('a request', () => {
  it('comes back as it was given', () => {
    const { database } = temporaryDatabase();
    const row = requestRow({ model: 'org/model with spaces', promptTokens: null, cachedTokens: null, replica: null });
    write(database, { requests: [row] });
    expect(database.requests(null, 1)).toEqual([row]);
  });

  it('is made to fit: whole numbers, short texts, no more cached than prompt tokens', () => {
    const { database } = temporaryDatabase();
    const given = { finishedAt: NOW + 0.4, ttfbMs: 12.6, promptTokens: 10, cachedTokens: 16, client: 'x'.repeat(9999) };
    write(database, { requests: [requestRow(given)] });
    const [row] = database.requests(null, 1);
    expect(row).toMatchObject({ finishedAt: NOW, ttfbMs: 13, promptTokens: 10, cachedTokens: 10 });
    expect(row?.client).toHaveLength(500);
  });

  it('is listed newest first, of all models or of one', () => {
    const { database } = temporaryDatabase();
    const at = (id: string, model: string, finishedAt: number) => requestRow({ id, model, finishedAt });
    write(database, { requests: [at('b', 'qwen', NOW + 2), at('c', 'llama', NOW + 3), at('a', 'qwen', NOW + 1)] });
    expect(database.requests(null, 2).map((row) => row.id)).toEqual(['c', 'b']);
    expect(database.requests('qwen', 10).map((row) => row.id)).toEqual(['b', 'a']);
    expect(database.requests('never seen', 10)).toEqual([]);
  });
});

describe('numbers', () => {
  it('are stored as integers although JavaScript binds them as REAL', () => {
    const { database, connection } = temporaryDatabase();
    write(database, { requests: [requestRow()], samples: [sampleRow()] });
    const types = (sql: string) => connection.sqlite.prepare<[], Record<string, string>>(sql).get();
    expect(types('SELECT typeof(finished_ms) a, typeof(prompt_tokens) b, typeof(ttfb_ms) c FROM request')).toEqual({
      a: 'integer',
      b: 'integer',
      c: 'integer',
    });
    expect(types('SELECT typeof(start_s) a, typeof(cached_tokens) b FROM usage_1m')).toEqual({
      a: 'integer',
      b: 'integer',
    });
    expect(types('SELECT typeof(taken_ms) a, typeof(kv_milli) b FROM replica_sample')).toEqual({
      a: 'integer',
      b: 'integer',
    });
  });
});

describe('events', () => {
  it('are listed newest first; those of no model only among all', () => {
    const { database } = temporaryDatabase();
    const events = [
      { at: NOW, model: 'qwen', kind: 'affinity_off', detail: 'by a person', facts: { by: 'a person' } },
      { at: NOW + 1, model: null, kind: 'started', detail: '0.1.0', facts: null },
    ];
    database.writeBatch({ ...EMPTY, id: 'events', events });
    expect(database.events(null, 10)).toEqual(events.toReversed());
    expect(database.events('qwen', 10)).toEqual(events.slice(0, 1));
  });
});

describe('settings', () => {
  it.each([
    { affinity: true, spillThreshold: 12, cacheFit: true, yieldAfterMs: 20_000 },
    { affinity: false, spillThreshold: 'auto', cacheFit: false, yieldAfterMs: 'auto' },
    { affinity: null, spillThreshold: null, cacheFit: null, yieldAfterMs: null },
  ] as const)('come back as saved: $affinity, $spillThreshold, $cacheFit, $yieldAfterMs', (setting) => {
    const { database } = temporaryDatabase();
    database.saveSetting('qwen', { affinity: false, spillThreshold: 3, cacheFit: null, yieldAfterMs: null });
    database.saveSetting('qwen', setting);
    expect(database.settings()).toEqual(new Map([['qwen', setting]]));
  });
});
