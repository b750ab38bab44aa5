import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';

const TEXT = 'LM Warden keeps this file while there are accounts or API keys in warden.db.\n';

/**
 * Remembers beside the database that there are accounts or keys in it. Where the database cannot be read, nobody knows
 * them: without the mark, everyone would be let in as on the first day.
 */
export type DoorMark = {
  isSet(): boolean;
  set(isNeeded: boolean): void;
};

export function createDoorMark(dataDir: string, log: Logger): DoorMark {
  const file = join(dataDir, 'access-in-use');
  return {
    isSet: () => existsSync(file),
    set(isNeeded) {
      if (isNeeded === existsSync(file)) return;
      try {
        if (isNeeded) writeFileSync(file, TEXT, { mode: 0o600 });
        else rmSync(file);
      } catch (error) {
        log.warn({ err: error, file }, 'that there are accounts could not be marked beside the database');
      }
    },
  };
}
