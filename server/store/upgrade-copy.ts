import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { appliedMigration } from './migration-state.ts';

/** Enough to go back two releases; each is as large as the database was. */
const COPIES_KEPT = 3;

/**
 * Copies a database beside itself before it is migrated, as `warden.db.before-20261130T141500Z`, after the newest
 * migration in it: an upgrade that is tried again makes no second copy. Older copies beyond three are removed. Throws
 * where there is no room: the migration must not begin then. Returns the copy's name.
 */
export function copyBeforeUpgrade(sqlite: Sqlite.Database, file: string): string {
  const at = new Date(appliedMigration(sqlite) ?? 0).toISOString().replace(/[-:]|[.]\d+/g, '');
  const copy = `${file}.before-${at}`;
  if (!existsSync(copy)) {
    const part = `${copy}.part`;
    rmSync(part, { force: true });
    try {
      sqlite.prepare('VACUUM INTO ?').run(part);
      chmodSync(part, 0o600);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
    renameSync(part, copy);
  }
  removeOldest(file);
  return copy;
}

function removeOldest(file: string): void {
  const folder = dirname(file);
  const prefix = `${basename(file)}.before-2`;
  const copies = readdirSync(folder).filter((name) => name.startsWith(prefix) && !name.endsWith('.part'));
  for (const name of copies.sort().slice(0, -COPIES_KEPT)) rmSync(join(folder, name));
}
