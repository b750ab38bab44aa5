import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { memoryDatabase, requestRow, temporaryDatabase, write } from './fixtures-for-tests.ts';
import type { TableSize } from './table-sizes.ts';

function measured(database: Database): readonly TableSize[] {
  let sizes = database.measureTables();
  while (sizes === null) sizes = database.measureTables();
  return sizes;
}

describe('the sizes of the tables', () => {
  it('count the rows of every table exactly, with row ids and without, also over many pages', () => {
    const { database, connection } = temporaryDatabase();
    const requests = Array.from({ length: 3000 }, (_, index) =>
      requestRow({ id: `${index}`, finishedAt: 1_700_000_000_000 + index * 60_000 }),
    );
    write(database, { requests });
    const sizes = measured(database);
    const count = (table: string) =>
      connection.sqlite.prepare<[], number>(`SELECT COUNT(*) FROM "${table}"`).pluck().get();
    expect(sizes.length).toBeGreaterThan(20);
    expect(sizes.map(({ name, rows }) => ({ name, rows }))).toEqual(
      sizes.map(({ name }) => ({ name, rows: count(name) })),
    );
    expect(sizes.find(({ name }) => name === 'usage_1m')?.rows).toBe(3000);
  });

  it('are measured in parts, between which rows are written, and once more from the start', () => {
    const { database } = temporaryDatabase();
    const rows = (from: number) =>
      Array.from({ length: 9000 }, (_, index) => requestRow({ id: `${from + index}`, reason: 'x'.repeat(400) }));
    write(database, { requests: rows(0) });
    expect(database.measureTables()).toBeNull();
    write(database, { requests: rows(9000) });
    measured(database);
    expect(measured(database).find(({ name }) => name === 'request')?.rows).toBe(18_000);
  });

  it('of a database in memory are known too', () => {
    const database = memoryDatabase();
    write(database, { requests: [requestRow()] });
    expect(measured(database).find(({ name }) => name === 'request')?.rows).toBe(1);
  });

  it('account, with the indexes, for the whole file but its free pages and its directory', () => {
    const { database, connection, file } = temporaryDatabase();
    write(database, { requests: Array.from({ length: 500 }, (_, index) => requestRow({ id: `${index}` })) });
    connection.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    const bytes = measured(database).reduce((sum, table) => sum + table.bytes, 0);
    const files = database.fileSizes();
    expect(files?.fileBytes).toBe(statSync(file).size);
    expect(bytes).toBeLessThanOrEqual(statSync(file).size);
    expect(bytes).toBeGreaterThan(0.8 * statSync(file).size);
  });
});
