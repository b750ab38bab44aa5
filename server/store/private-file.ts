import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/**
 * Makes the database file readable by its owner alone: it holds the keys of engines. SQLite gives the files beside it
 * the mode of the file itself. Where that is not possible (another owner, a file system without modes), SQLite is left
 * to say whether the file can be used at all.
 */
export function makePrivate(file: string): void {
  if (file === ':memory:') return;
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch {
    // It is there already, or cannot be made.
  }
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      const { mode } = statSync(path);
      if ((mode & OTHERS) !== 0) chmodSync(path, mode & ~OTHERS & 0o777);
    } catch {
      // Not there, or not ours.
    }
  }
}
