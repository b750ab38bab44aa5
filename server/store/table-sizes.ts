import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import type { Connection } from './open.ts';

/** `bytes` with the table's indexes; `rows` exactly. */
export type TableSize = { readonly name: string; readonly rows: number; readonly bytes: number };

/** The database as files on the disk; null where it is kept in memory. */
export type FileSizes = { readonly fileBytes: number; readonly walBytes: number } | null;

export type TableSizes = {
  /**
   * Goes on measuring, for some milliseconds: every page of the file has to be read, which takes seconds where it has a
   * gigabyte, and other calls get their turn in between. Null until all tables are measured; then it begins anew.
   */
  measure(): readonly TableSize[] | null;
  files(): FileSizes;
  /** Lets go of the file where it was not measured to the end. */
  close(): void;
};

const PAGES_A_STEP = 1000;

const TABLES = `SELECT name, wr = 0 AS hasRowIds FROM pragma_table_list
  WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name`;

type Table = { readonly name: string; readonly hasRowIds: number };
type Page = { readonly pgsize: number; readonly ncell: number; readonly pagetype: string };

export function createTableSizes({ sqlite }: Connection): TableSizes {
  let walk: Generator<null, readonly TableSize[]> | null = null;
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    measure() {
      walk ??= measuring(sqlite);
      try {
        const { done, value } = walk.next();
        if (done === true) walk = null;
        return value;
      } catch (error) {
        walk = null;
        throw error;
      }
    },
    files() {
      if (sqlite.memory) return null;
      return { fileBytes: sizeOf(sqlite.name), walBytes: sizeOf(`${sqlite.name}-wal`) };
    },
    close() {
      walk?.return([]);
      walk = null;
    },
  };
}

/** Stops after every thousand pages. A statement that is not at its end keeps its connection, so it has its own. */
function* measuring(sqlite: Sqlite.Database): Generator<null, readonly TableSize[]> {
  const own = sqlite.memory ? sqlite : new Sqlite(sqlite.name, { readonly: true });
  try {
    const trees = own.prepare<[string], string>('SELECT name FROM sqlite_schema WHERE tbl_name = ?').pluck();
    const pages = own.prepare<[string], Page>('SELECT pgsize, ncell, pagetype FROM dbstat WHERE name = ?');
    const pagesOf = (tree: string) => (sqlite.memory ? pages.all(tree) : pages.iterate(tree));
    const sizes: TableSize[] = [];
    let read = 0;
    for (const { name, hasRowIds } of own.prepare<[], Table>(TABLES).all()) {
      const size = { name, rows: 0, bytes: 0 };
      for (const tree of trees.all(name)) {
        for (const { pgsize, ncell, pagetype } of pagesOf(tree)) {
          size.bytes += pgsize;
          // In a tree with row ids only its leaves hold rows, in one without them its inner pages do too.
          if (tree === name && (hasRowIds === 0 || pagetype === 'leaf')) size.rows += ncell;
          read += 1;
          if (read % PAGES_A_STEP === 0) yield null;
        }
      }
      sizes.push(size);
    }
    return sizes;
  } finally {
    if (own !== sqlite) own.close();
  }
}
