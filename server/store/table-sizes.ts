import { statSync } from 'node:fs';
import type { Connection } from './open.ts';

/** `bytes` with the table's indexes; `rows` exactly. */
export type TableSize = { readonly name: string; readonly rows: number; readonly bytes: number };

/** The database as files on the disk; null where it is kept in memory. */
export type FileSizes = { readonly fileBytes: number; readonly walBytes: number } | null;

export type TableSizes = {
  names(): readonly string[];
  /** Reads every page of the table: seconds for gigabytes. One table a call, so that other calls get their turn. */
  size(table: string): TableSize;
  files(): FileSizes;
};

export function createTableSizes({ sqlite }: Connection): TableSizes {
  const tables = sqlite
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
    )
    .pluck();
  const trees = sqlite.prepare<[string], string>('SELECT name FROM sqlite_schema WHERE tbl_name = ?').pluck();
  const hasRowIds = sqlite.prepare<[string], number>('SELECT wr = 0 FROM pragma_table_list WHERE name = ?').pluck();
  // In a tree with row ids only its leaves hold rows, in one without them its inner pages do too.
  const tree = sqlite.prepare<[string], { bytes: number; cells: number; leafCells: number }>(`
    SELECT COALESCE(SUM(pgsize), 0) AS bytes, COALESCE(SUM(ncell), 0) AS cells,
      COALESCE(SUM(IIF(pagetype = 'leaf', ncell, 0)), 0) AS leafCells
    FROM dbstat WHERE name = ?`);
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    names: () => tables.all(),
    size(name) {
      const own = tree.get(name);
      const bytes = trees.all(name).reduce((sum, part) => sum + (tree.get(part)?.bytes ?? 0), 0);
      return { name, bytes, rows: (hasRowIds.get(name) === 1 ? own?.leafCells : own?.cells) ?? 0 };
    },
    files() {
      if (sqlite.memory) return null;
      return { fileBytes: sizeOf(sqlite.name), walBytes: sizeOf(`${sqlite.name}-wal`) };
    },
  };
}
