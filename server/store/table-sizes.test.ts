import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requestRow, temporaryDatabase, write } from './fixtures-for-tests.ts';

describe('the sizes of the tables', () => {
  it('count the rows of every table exactly, with row ids and without, also over many pages', () => {
    const { database, connection } = temporaryDatabase();
    const requests = Array.from({ length: 3000 }, (_, index) =>
      requestRow({ id: `${index}`, finishedAt: 1_700_000_000_000 + index * 60_000 }),
    );
    write(database, { requests });
    const tables = database.tableNames();
    expect(tables).toContain('request');
    for (const table of tables) {
      const counted = connection.sqlite.prepare<[], number>(`SELECT COUNT(*) FROM "${table}"`).pluck().get();
      expect({ table, rows: database.tableSize(table).rows }).toEqual({ table, rows: counted });
    }
    expect(database.tableSize('usage_1m').rows).toBe(3000);
  });

  it('account, with the indexes, for the whole file but its free pages and its directory', () => {
    const { database, connection, file } = temporaryDatabase();
    write(database, { requests: Array.from({ length: 500 }, (_, index) => requestRow({ id: `${index}` })) });
    connection.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    const bytes = database.tableNames().reduce((sum, table) => sum + database.tableSize(table).bytes, 0);
    const files = database.fileSizes();
    expect(files?.fileBytes).toBe(statSync(file).size);
    expect(bytes).toBeLessThanOrEqual(statSync(file).size);
    expect(bytes).toBeGreaterThan(0.8 * statSync(file).size);
  });
});
