/** The code of an error of SQLite (`SQLITE_FULL`) or of the file system (`EACCES`); null where it has none. */
export function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

const STORAGE = [
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_NOMEM',
  'SQLITE_PERM',
  'SQLITE_PROTOCOL',
] as const;

/** True where the disk, the file or a lock is at fault: the same write may succeed later. False where the row is. */
export function isStorageFailure(code: string | null): boolean {
  return code !== null && STORAGE.some((prefix) => code === prefix || code.startsWith(`${prefix}_`));
}

/** True where opening the file again may help: its permissions or its disk may have been mended since. */
export function needsReopening(code: string | null): boolean {
  return code !== null && /^SQLITE_(READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB)/.test(code);
}
