import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { backUpDatabase } from './backup.ts';
import { MIGRATIONS_DIR, requestRow, temporaryFolder, temporaryStore } from './fixtures-for-tests.ts';
import { restoreDatabase } from './restore.ts';
import { isRestoreStaged, putStagedInPlace, stageRestore } from './staged-restore.ts';
import type { Store } from './store.ts';

const NOW = 1_800_000_000_000;

function write(store: Store, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) store.recordRequest(requestRow({ id: `r${index}`, finishedAt: NOW }));
  return store.flush();
}

const restore = (backup: string, folder: string) =>
  restoreDatabase(backup, join(folder, 'warden.db'), MIGRATIONS_DIR, 'stamp');

describe('a backup', () => {
  it('is taken while the database is written to, whole and sound, and only its owner can read it', async () => {
    const folder = temporaryFolder();
    const store = await temporaryStore({ dataDir: folder });
    await write(store, 0, 3000);
    const target = join(temporaryFolder(), 'backup.db');
    let isDone = false;
    const backup = backUpDatabase(join(folder, 'warden.db'), target).finally(() => {
      isDone = true;
    });
    let written = 3000;
    while (!isDone) {
      await write(store, written, written + 50);
      written += 50;
    }
    const summary = await backup;
    expect(summary.requests).toBeGreaterThanOrEqual(3000);
    expect(summary.requests).toBeLessThanOrEqual(written);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(target, '..'))).toEqual(['backup.db']);
    expect(store.warning()).toBeNull();
  });

  it('of a file that is not there, or into a folder that is not, says so and leaves nothing', async () => {
    const folder = temporaryFolder();
    await expect(backUpDatabase(join(folder, 'none.db'), join(folder, 'b.db'))).rejects.toThrow('There is no database');
    const store = await temporaryStore({ dataDir: folder });
    await store.flush();
    const nowhere = join(folder, 'nowhere', 'b.db');
    await expect(backUpDatabase(join(folder, 'warden.db'), nowhere)).rejects.toThrow('There is no folder');
    expect(readdirSync(folder).filter((name) => name.includes('backup'))).toEqual([]);
  });
});

describe('a restore', () => {
  async function backupOf(rows: number): Promise<string> {
    const folder = temporaryFolder();
    const store = await temporaryStore({ dataDir: folder });
    await write(store, 0, rows);
    const target = join(temporaryFolder(), 'backup.db');
    await backUpDatabase(join(folder, 'warden.db'), target);
    return target;
  }

  it('puts the backup in place and keeps what was there', async () => {
    const backup = await backupOf(5);
    const folder = temporaryFolder();
    const before = await temporaryStore({ dataDir: folder });
    await write(before, 0, 9);
    await before.close();

    const { requests, keptAs } = restore(backup, folder);
    expect(requests).toBe(5);
    expect(keptAs).toBe(join(folder, 'warden.db.before-restore-stamp'));
    const store = await temporaryStore({ dataDir: folder });
    expect(store.warning()).toBeNull();
    expect(await store.requests(null, 100)).toHaveLength(5);
    const kept = new Sqlite(keptAs ?? '', { readonly: true });
    expect(kept.prepare('SELECT COUNT(*) FROM request').pluck().get()).toBe(9);
    kept.close();
  });

  it('into an empty folder needs nothing to be there', async () => {
    const folder = join(temporaryFolder(), 'new');
    expect(restore(await backupOf(2), folder).keptAs).toBeNull();
    const store = await temporaryStore({ dataDir: folder });
    expect(await store.requests(null, 100)).toHaveLength(2);
  });

  it('is refused while a process has the database, which goes on undisturbed', async () => {
    const backup = await backupOf(1);
    const folder = temporaryFolder();
    const store = await temporaryStore({ dataDir: folder });
    expect(() => restore(backup, folder)).toThrow('in use by another LM Warden');
    await write(store, 0, 3);
    expect(await store.requests(null, 100)).toHaveLength(3);
  });

  it.each([
    ['text', 'not a database at all', /damaged or no database/],
    ['another program', '', /not a database of LM Warden/],
  ])('of %s is refused, and what is there stays', async (_what, content, reason) => {
    const folder = temporaryFolder();
    const store = await temporaryStore({ dataDir: folder });
    await write(store, 0, 4);
    await store.close();
    const foreign = join(temporaryFolder(), 'foreign.db');
    if (content === '') new Sqlite(foreign).exec('CREATE TABLE other (a)').close();
    else writeFileSync(foreign, content.repeat(500));
    expect(() => restore(foreign, folder)).toThrow(reason);
    expect(existsSync(join(folder, 'warden.db.restoring'))).toBe(false);
    const again = await temporaryStore({ dataDir: folder });
    expect(await again.requests(null, 100)).toHaveLength(4);
  });

  it('that waits for the next start and is damaged by then is set aside, and what is there stays', async () => {
    const folder = temporaryFolder();
    const store = await temporaryStore({ dataDir: folder });
    await write(store, 0, 4);
    const file = join(folder, 'warden.db');
    stageRestore(await backupOf(1), file, MIGRATIONS_DIR);
    expect(putStagedInPlace(file, MIGRATIONS_DIR, 'stamp')).toBeNull();
    await store.close();
    writeFileSync(`${file}.restore-at-next-start`, 'spoilt'.repeat(5000));
    expect(putStagedInPlace(file, MIGRATIONS_DIR, 'stamp')).toMatchObject({ leftAs: `${file}.restore-refused-stamp` });
    expect(isRestoreStaged(file)).toBe(false);
    const again = await temporaryStore({ dataDir: folder });
    expect(await again.requests(null, 100)).toHaveLength(4);
  });

  it('of a damaged backup, or of one from a newer version, is refused', async () => {
    const newer = await backupOf(1);
    const sqlite = new Sqlite(newer);
    sqlite.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('future', 9999999999999)");
    sqlite.close();
    expect(() => restore(newer, temporaryFolder())).toThrow('newer version');

    const damaged = await backupOf(2000);
    const bytes = readFileSync(damaged);
    bytes.fill(0xab, bytes.length / 2, bytes.length / 2 + 20_000);
    writeFileSync(damaged, bytes);
    expect(() => restore(damaged, temporaryFolder())).toThrow(/damaged/);
  });
});
