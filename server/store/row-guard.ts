import type { BatchResult } from './batch.ts';
import type { Connection } from './open.ts';
import { isStorageFailure, sqliteCode } from './sqlite-code.ts';

export type RowGuard = {
  /** Runs one row's statements; where the row itself is at fault, undoes and counts it. Other failures are thrown. */
  attempt(write: () => void): void;
  result(): BatchResult;
};

/**
 * Keeps one bad row from stopping the batch it came in, which would be sent again for ever. `onUndone` runs when a row
 * was undone.
 */
export function createRowGuard({ sqlite }: Connection, onUndone: () => void): RowGuard {
  const inSavepoint = sqlite.transaction((write: () => void) => write());
  let refused = 0;
  let reason: string | null = null;

  return {
    attempt(write) {
      try {
        inSavepoint(write);
      } catch (error) {
        onUndone();
        if (isStorageFailure(sqliteCode(error))) throw error;
        refused += 1;
        reason ??= error instanceof Error ? error.message : String(error);
      }
    },
    result: () => ({ refused, reason }),
  };
}
