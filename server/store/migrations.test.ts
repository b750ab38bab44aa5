import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { is } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import * as schema from '#drizzle/schema.ts';
import { MIGRATIONS_DIR } from './fixtures-for-tests.ts';

const TABLES = Object.values(schema)
  .filter((value) => is(value, SQLiteTable))
  .map((table) => getTableConfig(table));

describe('the migrations', () => {
  it('make every table STRICT, and WITHOUT ROWID where the key is not one integer', () => {
    const list = migrated().prepare<[], TableListRow>("SELECT * FROM pragma_table_list WHERE schema = 'main'").all();
    const made = new Map(list.map((row) => [row.name, { strict: row.strict === 1, withoutRowid: row.wr === 1 }]));
    for (const { name, primaryKeys, columns } of TABLES) {
      const oneInteger = primaryKeys.length === 0 && columns.some((column) => column.primary);
      expect({ name, ...made.get(name) }).toEqual({
        name,
        strict: true,
        withoutRowid: !oneInteger,
      });
    }
  });

  it('make the tables that schema.ts describes, column by column', () => {
    const sqlite = migrated();
    const names = sqlite.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    const own = names.filter((name) => name !== '__drizzle_migrations');
    expect(own.toSorted()).toEqual(TABLES.map((table) => table.name).toSorted());
    for (const { name, columns } of TABLES) {
      const made = sqlite.prepare<[string], ColumnRow>('SELECT * FROM pragma_table_info(?)').all(name);
      expect(made.map((column) => [column.name, column.type.toLowerCase(), column.notnull === 1])).toEqual(
        columns.map((column) => [column.name, column.getSQLType(), column.notNull]),
      );
    }
  });

  it('make the indexes that schema.ts describes', () => {
    const sqlite = migrated();
    const made = sqlite.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL");
    const described = TABLES.flatMap(({ indexes, columns }) => [
      ...indexes.map((index) => index.config.name),
      ...columns.flatMap((column) => (column.isUnique ? [column.uniqueName] : [])),
    ]);
    expect(made.pluck().all().toSorted()).toEqual(described.toSorted());
  });

  it('are run once', () => {
    const sqlite = migrated();
    migrate(drizzle(sqlite), { migrationsFolder: MIGRATIONS_DIR });
    const journal: unknown = JSON.parse(readFileSync(`${MIGRATIONS_DIR}/meta/_journal.json`, 'utf8'));
    const applied = sqlite.prepare<[], number>('SELECT COUNT(*) FROM __drizzle_migrations').pluck().get();
    expect(journal).toMatchObject({ entries: { length: applied } });
  });
});

type TableListRow = { readonly name: string; readonly strict: number; readonly wr: number };
type ColumnRow = { readonly name: string; readonly type: string; readonly notnull: number };

function migrated(): Sqlite.Database {
  const sqlite = new Sqlite(':memory:');
  migrate(drizzle(sqlite), { migrationsFolder: MIGRATIONS_DIR });
  return sqlite;
}
