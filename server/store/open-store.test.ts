import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { requestRow, sampleRow, temporaryFolder, temporaryStore } from './fixtures-for-tests.ts';
import type { RouterMemory } from './store.ts';
import { StoreError } from './store-error.ts';

const NOW = 1_800_000_000_000;

describe('the store', () => {
  it('gives back after a restart what it was given before', async () => {
    const dataDir = join(temporaryFolder(), 'made', 'when missing');
    const memory: RouterMemory = {
      since: NOW,
      unrouted: 2,
      tallies: [{ placed: 1, sticky: 2, spilledIn: 3, failedOverIn: 4, clientPinned: 5, balanced: 6 }],
      engines: [{ url: 'http://engine:8000', processStartTime: 1.5, tokensTotal: 99, ranks: 2 }],
      homes: [{ keyHash: 'abc', source: 'header', replica: 1, lastUsedAt: NOW, turns: 3, small: false }],
    };
    const before = await temporaryStore({ dataDir });
    before.recordRequest(requestRow({ finishedAt: NOW }));
    before.recordSample(sampleRow({ takenAt: NOW }));
    before.recordEvent({ at: NOW, model: 'qwen', kind: 'engine_up', detail: 'http://engine:8000' });
    before.rememberRouter('qwen', memory);
    await before.saveSetting('qwen', { affinity: false, spillThreshold: 6, cacheFit: null, yieldAfterMs: null });
    await before.close();

    const after = await temporaryStore({ dataDir });
    expect(await after.requests('qwen', 10)).toEqual([requestRow({ finishedAt: NOW })]);
    expect((await after.tokenSeries(null, '1h', NOW)).at(-1)).toMatchObject({ cached: 800, computed: 200 });
    expect((await after.latencySeries(null, '1h', NOW)).at(-1)?.ttfb).toMatchObject({ count: 1, mean: 300 });
    expect((await after.replicaSeries('qwen', '1h', NOW))[0]?.buckets.at(-1)?.inFlight).toEqual({ mean: 3, max: 3 });
    expect(await after.hitShare('qwen', 3600, NOW)).toEqual({ hitShare: 0.8, measuredShare: 1 });
    expect(await after.events('qwen', 10)).toHaveLength(1);
    expect(await after.routerMemory('qwen')).toEqual(memory);
    expect(await after.settings()).toEqual(
      new Map([['qwen', { affinity: false, spillThreshold: 6, cacheFit: null, yieldAfterMs: null }]]),
    );
    expect(after.warning()).toBeNull();
  });

  it('remembers at once, also while the database cannot be written', async () => {
    const dataDir = temporaryFolder();
    const store = await temporaryStore({ dataDir });
    const memory: RouterMemory = { since: NOW, unrouted: 0, tallies: [], engines: [], homes: [] };
    store.rememberRouter('qwen', memory);
    expect(await store.routerMemory('qwen')).toEqual(memory);

    const other = new Sqlite(join(dataDir, 'warden.db'));
    other.exec('BEGIN EXCLUSIVE');
    store.rememberRouter('qwen', { ...memory, unrouted: 1 });
    expect(await store.routerMemory('qwen')).toEqual({ ...memory, unrouted: 1 });
    other.close();
    await store.flush();
    expect(await store.routerMemory('qwen')).toEqual({ ...memory, unrouted: 1 });
  });

  it('adds homes that changed while the database cannot be written to those that are in it', async () => {
    const dataDir = temporaryFolder();
    const store = await temporaryStore({ dataDir });
    const home = (keyHash: string, lastUsedAt: number, replica = 0) => {
      return { keyHash, source: 'header', replica, lastUsedAt, turns: 1, small: false };
    };
    const memory: RouterMemory = { since: NOW, unrouted: 0, tallies: [], engines: [], homes: [] };
    store.rememberRouter('qwen', { ...memory, homes: [home('a', NOW), home('b', NOW + 1)] });
    await store.flush();
    const other = new Sqlite(join(dataDir, 'warden.db'));
    other.exec('BEGIN EXCLUSIVE');
    store.rememberRouter('qwen', { ...memory, isPartial: true, homes: [home('a', NOW + 2, 3)] });
    await store.flush();
    store.rememberRouter('qwen', { ...memory, isPartial: true, homes: [home('c', NOW + 3)] });
    other.exec('ROLLBACK');
    other.exec('BEGIN IMMEDIATE');
    const expected = { ...memory, homes: [home('b', NOW + 1), home('a', NOW + 2, 3), home('c', NOW + 3)] };
    expect(await store.routerMemory('qwen')).toEqual(expected);
    other.close();
    await store.flush();
    expect(await store.routerMemory('qwen')).toEqual(expected);
  });

  it('writes what is buffered by itself', async () => {
    const store = await temporaryStore();
    store.recordRequest(requestRow());
    await vi.waitFor(async () => expect(await store.requests(null, 10)).toHaveLength(1), { timeout: 30_000 });
  });

  it('writes more than fits into one batch', async () => {
    const store = await temporaryStore();
    for (let index = 0; index < 2500; index += 1) store.recordRequest(requestRow({ id: `${index}`, finishedAt: NOW }));
    await store.flush();
    expect((await store.tokenSeries(null, '1h', NOW)).at(-1)?.requests).toBe(2500);
  });

  it('keeps the newest rows when more come than the buffer holds', async () => {
    const store = await temporaryStore({ limits: { requests: 3 } });
    for (const id of ['1', '2', '3', '4', '5']) store.recordRequest(requestRow({ id }));
    await store.flush();
    expect((await store.requests(null, 10)).map((row) => row.id)).toEqual(['5', '4', '3']);
  });

  it('ends quietly: later rows are ignored, later questions are refused', async () => {
    const store = await temporaryStore();
    await store.close();
    await store.close();
    store.recordRequest(requestRow());
    await expect(store.requests(null, 10)).rejects.toThrow(StoreError);
  });
});

describe('a database that another program has locked', () => {
  it('is written later, with all that came meanwhile, and the warning says so until then', async () => {
    const dataDir = temporaryFolder();
    const store = await temporaryStore({ dataDir });
    const other = new Sqlite(join(dataDir, 'warden.db'));
    other.exec('BEGIN EXCLUSIVE');
    store.recordRequest(requestRow({ id: 'first', finishedAt: NOW }));
    await store.flush();
    expect(store.warning()).toMatch(/not being saved to .*warden\.db: another program has it locked/);
    await expect(
      store.saveSetting('qwen', { affinity: false, spillThreshold: null, cacheFit: null, yieldAfterMs: null }),
    ).rejects.toMatchObject({
      name: 'StoreError',
      code: 'not_saved',
    });
    store.recordRequest(requestRow({ id: 'second', finishedAt: NOW + 1 }));
    expect(await store.requests(null, 10)).toEqual([]);

    other.exec('COMMIT');
    other.close();
    await store.flush();
    expect(store.warning()).toBeNull();
    expect((await store.requests(null, 10)).map((row) => row.id)).toEqual(['second', 'first']);
    expect((await store.tokenSeries(null, '1h', NOW)).at(-1)?.requests).toBe(2);
  });

  it('loses the oldest rows when it stays locked, and the warning counts them', async () => {
    const dataDir = temporaryFolder();
    const store = await temporaryStore({ dataDir, limits: { requests: 2 } });
    const other = new Sqlite(join(dataDir, 'warden.db'));
    onTestFinished(() => {
      other.close();
    });
    other.exec('BEGIN EXCLUSIVE');
    store.recordRequest(requestRow());
    await store.flush();
    for (const id of ['1', '2', '3', '4', '5']) store.recordRequest(requestRow({ id }));
    expect(store.warning()).toContain('3 rows were lost so far');
    other.exec('COMMIT');
    await store.flush();
    expect(store.warning()).toBeNull();
    expect((await store.requests(null, 10)).map((row) => row.id)).toEqual(['5', '4', 'req-1']);
  });
});

describe('a database that cannot be used', () => {
  it('is replaced by one in memory, and the warning says what will be lost', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'warden.db'), 'no database at all, but long enough to be read as one'.repeat(50));
    const store = await temporaryStore({ dataDir });
    expect(store.warning()).toMatch(/will not survive a restart: .*warden\.db is not used, it is damaged/);
    store.recordRequest(requestRow());
    await store.saveSetting('qwen', { affinity: false, spillThreshold: null, cacheFit: null, yieldAfterMs: null });
    await store.flush();
    expect(await store.requests(null, 10)).toHaveLength(1);
    expect((await store.settings()).size).toBe(1);
  });

  it('is replaced in the same way where its folder cannot be made', async () => {
    const notAFolder = join(temporaryFolder(), 'file');
    writeFileSync(notAFolder, '');
    const store = await temporaryStore({ dataDir: join(notAFolder, 'data') });
    expect(store.warning()).toMatch(/will not survive a restart: .* it cannot be opened/);
    expect(await store.requests(null, 10)).toEqual([]);
  });

  it('is replaced in the same way where a folder has its name', async () => {
    const dataDir = temporaryFolder();
    mkdirSync(join(dataDir, 'warden.db'));
    const store = await temporaryStore({ dataDir });
    expect(store.warning()).toMatch(/will not survive a restart/);
  });
});

describe('a second store on the same folder', () => {
  it('is refused while the first is open, and not after', async () => {
    const dataDir = temporaryFolder();
    const first = await temporaryStore({ dataDir });
    await expect(temporaryStore({ dataDir })).rejects.toMatchObject({ name: 'StoreError', code: 'in_use' });
    await first.close();
    const second = await temporaryStore({ dataDir });
    expect(second.warning()).toBeNull();
  });
});
