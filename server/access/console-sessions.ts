import type { Logger } from 'pino';
import type { ConsoleSession } from '#lib/access/types.ts';
import type { Store } from '#server/store/store.ts';
import { newToken, tokenHash } from './tokens.ts';

const HOUR_MS = 3_600_000;
/** A tab that is open asks every few seconds: this is how long after the last one was closed. */
const IDLE_MS = 12 * HOUR_MS;
/** However busy, a new login is asked for after a week. */
const ABSOLUTE_MS = 7 * 24 * HOUR_MS;
/** How exactly the last use is kept over a restart. */
const SAVE_EVERY_MS = 5 * 60_000;

export const SESSION_SECONDS = ABSOLUTE_MS / 1000;

/** Who is signed in. Always a new token at a login: one that somebody else put into the browser is worth nothing. */
export type ConsoleSessions = {
  begin(personId: number): Promise<string>;
  /** The session of a token, and that it was used; null where there is none (any more). */
  find(token: string): ConsoleSession | null;
  end(hash: string): Promise<void>;
  /** Ends those of a person, but for the one kept. */
  endAll(personId: number, keptHash?: string): Promise<void>;
};

export type ConsoleSessionsOptions = {
  readonly store: Pick<Store, 'saveConsoleSession' | 'removeConsoleSessions'>;
  readonly saved: readonly ConsoleSession[];
  readonly now: () => number;
  readonly log: Logger;
};

export function createConsoleSessions({ store, saved, now, log }: ConsoleSessionsOptions): ConsoleSessions {
  const sessions = new Map(saved.map((session) => [session.tokenHash, session]));
  const savedAt = new Map(saved.map((session) => [session.tokenHash, session.lastUsedAt]));

  const remove = async (hashes: readonly string[]): Promise<void> => {
    for (const hash of hashes) {
      sessions.delete(hash);
      savedAt.delete(hash);
    }
    if (hashes.length > 0) await store.removeConsoleSessions(hashes);
  };
  const unattended = (what: Promise<void>): void => {
    what.catch((error: unknown) => log.warn({ err: error }, 'the use of a session could not be saved'));
  };
  const isOver = ({ createdAt, lastUsedAt }: ConsoleSession): boolean =>
    now() - lastUsedAt > IDLE_MS || now() - createdAt > ABSOLUTE_MS;
  const removeOver = (): Promise<void> =>
    remove([...sessions.values()].filter(isOver).map((session) => session.tokenHash));

  return {
    async begin(personId) {
      await removeOver();
      const token = newToken();
      const at = now();
      const session = { tokenHash: tokenHash(token), personId, createdAt: at, lastUsedAt: at };
      await store.saveConsoleSession(session);
      sessions.set(session.tokenHash, session);
      savedAt.set(session.tokenHash, at);
      return token;
    },
    find(token) {
      const session = sessions.get(tokenHash(token));
      if (session === undefined) return null;
      if (isOver(session)) {
        unattended(remove([session.tokenHash]));
        return null;
      }
      const used = { ...session, lastUsedAt: now() };
      sessions.set(session.tokenHash, used);
      if (used.lastUsedAt - (savedAt.get(session.tokenHash) ?? 0) > SAVE_EVERY_MS) {
        savedAt.set(session.tokenHash, used.lastUsedAt);
        unattended(store.saveConsoleSession(used));
      }
      return used;
    },
    end: (hash) => remove([hash]),
    endAll: (personId, keptHash) =>
      remove(
        [...sessions.values()]
          .filter((session) => session.personId === personId && session.tokenHash !== keptHash)
          .map((session) => session.tokenHash),
      ),
  };
}
