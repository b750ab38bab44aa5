import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StoreError } from './store-error.ts';

/** What a backup holds; `bytes` is the size of the file. */
export type BackupSummary = { readonly bytes: number; readonly requests: number; readonly homes: number };

/** All pages in one step: with fewer, every write of the running process would make the copy begin anew. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies the database `file` to `target` while another process may write to it, through SQLite's online backup, and
 * checks the copy. The copy is a single file that only its owner can read. Throws a `StoreError` where it cannot be made;
 * nothing is then left behind, and what was at `target` is as it was.
 */
export async function backUpDatabase(file: string, target: string): Promise<BackupSummary> {
  if (!existsSync(file)) throw new StoreError('unavailable', `There is no database ${file}.`);
  if (!existsSync(dirname(target))) throw new StoreError('unavailable', `There is no folder ${dirname(target)}.`);
  const part = join(dirname(target), `.${process.pid}.warden-backup`);
  try {
    const source = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      await source.backup(part, { progress: () => ALL_PAGES });
    } finally {
      source.close();
    }
    chmodSync(part, 0o600);
    const summary = checkDatabase(part);
    renameSync(part, target);
    return summary;
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof StoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError('unavailable', `${file} could not be backed up to ${target}: ${reason}`, error);
  }
}

/** Reads the whole of a database file, and leaves it as one file. Throws a `StoreError` where it is damaged or foreign. */
export function checkDatabase(file: string): BackupSummary {
  let sqlite: Sqlite.Database;
  try {
    sqlite = new Sqlite(file, { fileMustExist: true });
  } catch (error) {
    throw new StoreError('unavailable', `${file} cannot be opened: ${String(error)}`, error);
  }
  try {
    const faults = sqlite.pragma('integrity_check', { simple: true });
    if (faults !== 'ok') throw new StoreError('unavailable', `${file} is damaged: ${String(faults)}`);
    const count = (sql: string): number => sqlite.prepare<[], number>(sql).pluck().get() ?? 0;
    const tables = count(
      `SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('__drizzle_migrations', 'home', 'request')`,
    );
    if (tables !== 3) throw new StoreError('unavailable', `${file} is not a database of LM Warden.`);
    // Its write-ahead log, if it ever had one, becomes part of it.
    sqlite.pragma('journal_mode = DELETE');
    return {
      bytes: count('PRAGMA page_count') * count('PRAGMA page_size'),
      requests: count('SELECT COUNT(*) FROM request'),
      homes: count('SELECT COUNT(*) FROM home'),
    };
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError('unavailable', `${file} is damaged or no database: ${String(error)}`, error);
  } finally {
    sqlite.close();
  }
}
