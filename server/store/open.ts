import Sqlite from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { isNewerThan, isOlderThan } from './migration-state.ts';
import { makePrivate } from './private-file.ts';
import { copyBeforeUpgrade } from './upgrade-copy.ts';

/** One open database: `sqlite` for what runs often, `orm` for what is typed by drizzle/schema.ts. */
export type Connection = { readonly sqlite: Sqlite.Database; readonly orm: BetterSQLite3Database };

/** How long a statement waits for another program's lock. The thread's other callers wait with it. */
const BUSY_TIMEOUT_MS = 1000;
/** The write-ahead log is cut back to this after a burst (a retention run, a long lock). */
const JOURNAL_BYTES = 16 * 1024 * 1024;

/** Opens `file` (`:memory:` too), creates or migrates its tables; throws where that is not possible. */
export function openConnection(file: string, migrationsDir: string): Connection {
  makePrivate(file);
  const sqlite = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    setPragmas(sqlite);
    if (isNewerThan(sqlite, migrationsDir)) throw new Error('it was written by a newer version of LM Warden');
    if (file !== ':memory:' && isOlderThan(sqlite, migrationsDir)) copyBeforeUpgrade(sqlite, file);
    const orm = drizzle(sqlite);
    migrate(orm, { migrationsFolder: migrationsDir });
    return { sqlite, orm };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function setPragmas(sqlite: Sqlite.Database): void {
  sqlite.pragma('journal_mode = WAL');
  // Said explicitly: after the switch to WAL it reads FULL until the first write.
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma(`journal_size_limit = ${JOURNAL_BYTES}`);
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('temp_store = MEMORY');
}
