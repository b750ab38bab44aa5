import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createDatabase } from './database.ts';
import { MIGRATIONS_DIR, requestRow, temporaryDatabase, temporaryFolder, write } from './fixtures-for-tests.ts';
import { openConnection } from './open.ts';
import { DEFAULT_RETENTION } from './retention.ts';

const NOW = 1_800_000_000_000;

describe('opening a database', () => {
  it('makes the tables in a file that is not there yet, and finds them the next time', () => {
    const file = join(temporaryFolder(), 'warden.db');
    const first = createDatabase(openConnection(file, MIGRATIONS_DIR), DEFAULT_RETENTION);
    write(first, { requests: [requestRow()] });
    first.close();
    const second = createDatabase(openConnection(file, MIGRATIONS_DIR), DEFAULT_RETENTION);
    expect(second.requests(null, 10)).toEqual([requestRow()]);
    second.close();
  });

  it('sets what must not depend on how SQLite was built', () => {
    const { sqlite } = temporaryDatabase().connection;
    const pragma = (name: string) => sqlite.pragma(name, { simple: true });
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(1);
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('temp_store')).toBe(2);
    expect(pragma('busy_timeout')).toBe(1000);
  });

  it('finds what was committed before a crash', () => {
    const { file, database } = temporaryDatabase();
    write(database, { requests: [requestRow({ finishedAt: NOW })] });
    const copy = join(temporaryFolder(), 'warden.db');
    copyFileSync(file, copy);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    const after = createDatabase(openConnection(copy, MIGRATIONS_DIR), DEFAULT_RETENTION);
    expect(after.requests(null, 10)).toHaveLength(1);
    expect(after.tokenSeries(null, '30d', NOW).at(-1)?.requests).toBe(1);
    after.close();
  });

  it('refuses a file that is no database', () => {
    const file = join(temporaryFolder(), 'warden.db');
    writeFileSync(file, 'not a database, and long enough to have a header'.repeat(100));
    expect(() => openConnection(file, MIGRATIONS_DIR)).toThrow(expect.objectContaining({ code: 'SQLITE_NOTADB' }));
  });

  it('refuses a file of a newer version', () => {
    const { file, connection } = temporaryDatabase();
    connection.sqlite.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)");
    expect(() => openConnection(file, MIGRATIONS_DIR)).toThrow(/newer version/);
  });

  it('leaves no table behind when a migration cannot be finished', () => {
    const file = join(temporaryFolder(), 'warden.db');
    const other = new Sqlite(file);
    other.exec('CREATE TABLE usage_1m (something TEXT)');
    expect(() => openConnection(file, MIGRATIONS_DIR)).toThrow(/usage_1m/);
    expect(other.prepare("SELECT name FROM sqlite_master WHERE name = 'request'").get()).toBeUndefined();
    other.close();
  });
});
