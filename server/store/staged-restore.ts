import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { BackupSummary } from './backup.ts';
import { copyChecked, type Restored, restoreDatabase, restoredMark } from './restore.ts';
import { StoreError } from './store-error.ts';

/*
 * A database that is in use cannot be exchanged under its process, which remembers what it read from it. So a backup can
 * be left beside it, checked, and the next start of LM Warden puts it in place.
 */

/** Where the backup waits. */
const stagedAt = (file: string): string => `${file}.restore-at-next-start`;

export const isRestoreStaged = (file: string): boolean => existsSync(stagedAt(file));

/** Leaves a checked copy of `source` for the next start. Throws a `StoreError`, with nothing left, where it is no good. */
export function stageRestore(source: string, file: string, migrationsDir: string): BackupSummary {
  if (!existsSync(source)) throw new StoreError('unavailable', `There is no backup ${source}.`);
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.staging`;
  try {
    const summary = copyChecked(source, part, migrationsDir);
    renameSync(part, stagedAt(file));
    return summary;
  } finally {
    rmSync(part, { force: true });
  }
}

/** False where none waited. */
export function cancelStagedRestore(file: string): boolean {
  const isThere = isRestoreStaged(file);
  rmSync(stagedAt(file), { force: true });
  return isThere;
}

/** What became of the backup that waited: null where there was none, or where another process has the database. */
export type StagedOutcome = Restored | { readonly refused: string; readonly leftAs: string } | null;

/**
 * To be called at the start, before the database is opened. A backup that is no good any more is left under another name,
 * and the database stays as it is.
 */
export function putStagedInPlace(file: string, migrationsDir: string, stamp: string): StagedOutcome {
  if (!isRestoreStaged(file)) return null;
  try {
    const restored = restoreDatabase(stagedAt(file), file, migrationsDir, stamp);
    rmSync(stagedAt(file), { force: true });
    return restored;
  } catch (error) {
    // A full disk: it may have room at the start after this one.
    if (!(error instanceof StoreError)) return { refused: String(error), leftAs: stagedAt(file) };
    if (error.code === 'in_use') return null;
    const leftAs = `${file}.restore-refused-${stamp}`;
    renameSync(stagedAt(file), leftAs);
    return { refused: error.message, leftAs };
  }
}

const mark = z.object({ requests: z.number(), homes: z.number(), kept_as: z.string().nullable() });

/** What was restored since the last start, told once; null where nothing was. */
export function takeRestoredMark(file: string): z.infer<typeof mark> | null {
  const path = restoredMark(file);
  if (!existsSync(path)) return null;
  try {
    return mark.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  } finally {
    rmSync(path, { force: true });
  }
}
