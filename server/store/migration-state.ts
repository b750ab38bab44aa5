import type Sqlite from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';

/** When the newest migration in a database was made, ms since the epoch; null where it has none: it is new or foreign. */
export function appliedMigration(sqlite: Sqlite.Database): number | null {
  const table = sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'`).get();
  if (table === undefined) return null;
  return sqlite.prepare<[], number>('SELECT MAX(created_at) FROM __drizzle_migrations').pluck().get() ?? null;
}

/** The newest migration that this program has. */
function knownMigration(migrationsDir: string): number {
  return Math.max(...readMigrationFiles({ migrationsFolder: migrationsDir }).map((file) => file.folderMillis));
}

/** The migrator runs what is missing and says nothing of a file that knows more than this program. */
export function isNewerThan(sqlite: Sqlite.Database, migrationsDir: string): boolean {
  return (appliedMigration(sqlite) ?? 0) > knownMigration(migrationsDir);
}

/** Whether the migrator would change an existing database of ours. */
export function isOlderThan(sqlite: Sqlite.Database, migrationsDir: string): boolean {
  const applied = appliedMigration(sqlite);
  return applied !== null && applied < knownMigration(migrationsDir);
}
