import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS_DIR, temporaryFolder, temporaryStore } from './fixtures-for-tests.ts';
import { openConnection } from './open.ts';

/** A database as 0.1 left it behind: migrations 0000 and 0001, with requests, homes, a setting and a benchmark run. */
const RELEASE = new URL('../../fixtures/store/release-0.1.db.gz', import.meta.url);
const MODEL = 'qwen3-4b-dp4';

function folderOfRelease(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'warden.db'), gunzipSync(readFileSync(RELEASE)));
  return folder;
}

const copiesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.includes('.before-'));

function count(file: string, table: string): number | undefined {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    return sqlite.prepare<[], number>(`SELECT COUNT(*) FROM ${table}`).pluck().get();
  } finally {
    sqlite.close();
  }
}

describe('a database of the release before', () => {
  it('opens with all that was in it: requests, homes, the setting, the benchmark run', async () => {
    const store = await temporaryStore({ dataDir: folderOfRelease() });
    expect(store.warning()).toBeNull();
    const requests = await store.requests(MODEL, 100);
    expect(requests).toHaveLength(16);
    expect((await store.routerMemory(MODEL))?.homes).toHaveLength(5);
    expect((await store.settings()).get(MODEL)).toMatchObject({ affinity: true, spillThreshold: 5 });
    expect(await store.benchmarks(10)).toMatchObject([{ model: MODEL, status: 'finished' }]);
    const now = requests[0]?.finishedAt ?? 0;
    const bars = await store.tokenSeries(MODEL, '1h', now);
    expect(bars.reduce((sum, bar) => sum + bar.requests, 0)).toBe(16);
  });

  it('is copied beside itself before it is changed, once', () => {
    const folder = folderOfRelease();
    const file = join(folder, 'warden.db');
    for (let start = 0; start < 2; start += 1) openConnection(file, MIGRATIONS_DIR).sqlite.close();
    const [copy = '', ...more] = copiesIn(folder);
    expect(more).toEqual([]);
    expect(count(join(folder, copy), '__drizzle_migrations')).toBe(2);
    expect(count(join(folder, copy), 'request')).toBe(16);
    expect(count(file, '__drizzle_migrations')).toBeGreaterThan(2);
  });

  it('is not changed where there is no way to copy it', () => {
    const folder = folderOfRelease();
    const file = join(folder, 'warden.db');
    openConnection(file, MIGRATIONS_DIR).sqlite.close();
    const [copy = ''] = copiesIn(folder);

    const other = folderOfRelease();
    mkdirSync(join(other, `${copy}.part`, 'in the way'), { recursive: true });
    expect(() => openConnection(join(other, 'warden.db'), MIGRATIONS_DIR)).toThrow();
    expect(count(join(other, 'warden.db'), '__drizzle_migrations')).toBe(2);
  });

  it('leaves three copies behind at most, the newest', () => {
    const folder = folderOfRelease();
    for (const day of ['01', '02', '03', '04'])
      writeFileSync(join(folder, `warden.db.before-202501${day}T000000Z`), '');
    writeFileSync(join(folder, 'warden.db.before-restore-1'), '');
    openConnection(join(folder, 'warden.db'), MIGRATIONS_DIR).sqlite.close();
    const copies = copiesIn(folder).sort();
    expect(copies).toHaveLength(4);
    expect(copies.slice(0, 2)).toEqual(['warden.db.before-20250103T000000Z', 'warden.db.before-20250104T000000Z']);
    expect(copies[3]).toBe('warden.db.before-restore-1');
  });
});

describe('a new database', () => {
  it('has no copy', () => {
    const folder = temporaryFolder();
    openConnection(join(folder, 'warden.db'), MIGRATIONS_DIR).sqlite.close();
    expect(copiesIn(folder)).toEqual([]);
  });
});
