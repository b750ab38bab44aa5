import Sqlite from 'better-sqlite3';
import { sqliteCode } from './sqlite-code.ts';
import { StoreError } from './store-error.ts';

/** A restart may come while the process before it is still letting go. */
const WAIT_MS = 500;

/**
 * Makes this process the only user of the database `file`; returns how to let go. Throws a `StoreError` `in_use` where
 * another has it.
 *
 * The lock is SQLite's own lock on an empty file beside the database. Unlike a written process id it goes away with the
 * process however that ends, and cannot be mistaken for another process that got the same id (in a container the id is
 * the same at every start). The empty file stays: removing it would open a gap for a second process.
 */
export function lockDatabase(file: string): () => void {
  const lock = new Sqlite(`${file}.lock`, { timeout: WAIT_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (sqliteCode(error) !== 'SQLITE_BUSY') throw error;
    throw new StoreError('in_use', `${file} is in use by another LM Warden. Stop it, or set WARDEN_DATA_DIR.`, error);
  }
  return () => lock.close();
}
