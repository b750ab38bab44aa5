import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type BackupSummary, checkDatabase } from './backup.ts';
import { isNewerThan } from './migration-state.ts';
import { lockDatabase } from './process-lock.ts';
import { StoreError } from './store-error.ts';

export type Restored = BackupSummary & {
  /** Where the database went that was there before; null where there was none. */
  readonly keptAs: string | null;
};

/** Says to the next start that the database was restored, for the audit list. */
export const restoredMark = (file: string): string => `${file}.restored`;

/**
 * Puts the backup `source` in the place of the database `file`. It is checked first; what was there is kept beside it.
 * Throws a `StoreError`, with nothing changed, where the backup is damaged, foreign or newer than this program, or where
 * a running process has the database. `stamp` names what is kept.
 */
export function restoreDatabase(source: string, file: string, migrationsDir: string, stamp: string): Restored {
  if (!existsSync(source)) throw new StoreError('unavailable', `There is no backup ${source}.`);
  mkdirSync(dirname(file), { recursive: true });
  const unlock = lockDatabase(file);
  const part = `${file}.restoring`;
  try {
    const summary = copyChecked(source, part, migrationsDir);
    const keptAs = existsSync(file) ? `${file}.before-restore-${stamp}` : null;
    if (keptAs !== null) putAside(file, keptAs);
    renameSync(part, file);
    const { requests, homes } = summary;
    writeMark(file, { requests, homes, kept_as: keptAs });
    return { ...summary, keptAs };
  } finally {
    rmSync(part, { force: true });
    unlock();
  }
}

function writeMark(file: string, facts: object): void {
  try {
    writeFileSync(restoredMark(file), JSON.stringify(facts), { mode: 0o600 });
  } catch {
    // The restore is done all the same; on a full disk the audit list goes without it.
  }
}

/** Copies a backup to where only its owner reads it, and checks the copy. */
export function copyChecked(source: string, target: string, migrationsDir: string): BackupSummary {
  copyFileSync(source, target);
  chmodSync(target, 0o600);
  const summary = checkDatabase(target);
  refuseNewer(target, source, migrationsDir);
  return summary;
}

function refuseNewer(file: string, source: string, migrationsDir: string): void {
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    if (!isNewerThan(sqlite, migrationsDir)) return;
    throw new StoreError('unavailable', `${source} was written by a newer version of LM Warden. Update first.`);
  } finally {
    sqlite.close();
  }
}

/** With what its write-ahead log still holds; a log left behind would be taken for the restored file's. */
function putAside(file: string, keptAs: string): void {
  try {
    const sqlite = new Sqlite(file);
    sqlite.pragma('journal_mode = DELETE');
    sqlite.close();
  } catch {
    // It may be damaged, which is why it is being replaced: it is kept as it is.
  }
  renameSync(file, keptAs);
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, keptAs + suffix);
  }
}
