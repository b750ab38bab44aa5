import { join } from 'node:path';
import type { Logger } from 'pino';
import { ownChangeEntry } from '#lib/access/own-change.ts';
import type { Access } from './access/access.ts';
import { isRestoreStaged, putStagedInPlace, takeRestoredMark } from './store/staged-restore.ts';

const databaseIn = (dataDir: string): string => join(dataDir, 'warden.db');

/** Before the database is opened: puts the backup in place that `lm-warden restore` has left for this start. */
export function restoreAtStart(dataDir: string, migrationsDir: string, log: Logger): void {
  const stamp = new Date().toISOString().replace(/[-:]|[.]\d+/g, '');
  const outcome = putStagedInPlace(databaseIn(dataDir), migrationsDir, stamp);
  if (outcome === null) return;
  if ('refused' in outcome)
    log.error(outcome, 'the backup that waited was not put in place; the database is as it was');
  else log.warn(outcome, 'the backup that waited was put in place');
}

/** Once the audit list can be written: tells of a restore, at this start or while the process did not run. */
export async function auditRestore(dataDir: string, access: Access, now: () => number): Promise<void> {
  const restored = takeRestoredMark(databaseIn(dataDir));
  if (restored === null) return;
  const { kept_as, ...after } = restored;
  const change = { actor: 'command line', action: 'database.restore', subject: null, before: { kept_as }, after };
  await access.audit(ownChangeEntry(change, now()));
}

/** While a backup waits: a person who has forgotten it must not be surprised by the next start. */
export function stagedWarnings(dataDir: string): readonly { readonly code: string; readonly message: string }[] {
  if (!isRestoreStaged(databaseIn(dataDir))) return [];
  const message =
    'A backup waits to be put in place: the next start of LM Warden replaces its database with it. `lm-warden restore --cancel` calls it off.';
  return [{ code: 'restore_waits', message }];
}
