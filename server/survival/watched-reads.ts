import { readFileSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';

/** A statement that the database prepared, and what became of it. */
export type Watched = {
  readonly sql: string;
  /** Null where it never ran. */
  plan: readonly string[] | null;
  /** The most pages of the file that one run of it read. */
  pages: number;
};

const PAGE_BYTES = 4096;

/**
 * Sees every statement that is prepared from now on, its plan with the values that it is given, and how many different
 * pages of the file it reads: before each run the connection gives up its cache, and the operating system counts what
 * this thread reads after that (Linux only; elsewhere the count stays 0).
 */
export function watchReads(sqlite: Sqlite.Database): ReadonlyMap<string, Watched> {
  const seen = new Map<string, Watched>();
  const prepare: (sql: string) => Sqlite.Statement = sqlite.prepare.bind(sqlite);
  const watch = (sql: string): Sqlite.Statement => {
    const statement = prepare(sql);
    const watched = seen.get(sql) ?? { sql, plan: null, pages: 0 };
    seen.set(sql, watched);
    for (const name of ['all', 'get', 'run', 'iterate'] as const) wrap(statement, name, watched);
    return statement;
  };
  Object.assign(sqlite, { prepare: watch });
  return seen;

  function wrap(statement: Sqlite.Statement, name: 'all' | 'get' | 'run' | 'iterate', watched: Watched): void {
    const run: (...values: unknown[]) => unknown = statement[name].bind(statement);
    const measured = (...values: unknown[]): unknown => {
      watched.plan ??= prepare(`EXPLAIN QUERY PLAN ${watched.sql}`)
        .all(...values)
        .map(detailOf);
      sqlite.pragma('shrink_memory');
      const before = readBytes();
      try {
        const result = run(...values);
        return name === 'iterate' ? counted(result, watched, before) : result;
      } finally {
        note(watched, before);
      }
    };
    Object.assign(statement, { [name]: measured });
  }

  function* counted(rows: unknown, watched: Watched, before: number): Generator {
    try {
      if (isIterable(rows)) yield* rows;
    } finally {
      note(watched, before);
    }
  }
}

function note(watched: Watched, before: number): void {
  watched.pages = Math.max(watched.pages, Math.round((readBytes() - before) / PAGE_BYTES));
}

function readBytes(): number {
  if (process.platform !== 'linux') return 0;
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1]);
}

const detailOf = (row: unknown): string =>
  typeof row === 'object' && row !== null && 'detail' in row ? String(row.detail) : '';

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;
