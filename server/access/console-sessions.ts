import type { Logger } from 'pino';
import { mergeRecords } from '#lib/access/merge-records.ts';
import {
  type EndedSessionRecord,
  endedSessionRecordOf,
  isSameRecord,
  type SessionRecord,
  type SharedRecord,
  sessionRecordOf,
} from '#lib/access/shared-record.ts';
import type { ConsoleSession, EndedSession, Person } from '#lib/access/types.ts';
import type { Store } from '#server/store/store.ts';
import type { People } from './people.ts';
import { newToken, tokenHash } from './tokens.ts';

const HOUR_MS = 3_600_000;
/** A tab that is open asks every few seconds: this is how long after the last one was closed. */
const IDLE_MS = 12 * HOUR_MS;
/** However busy, a new login is asked for after a week. */
const ABSOLUTE_MS = 7 * 24 * HOUR_MS;
/** How exactly the last use is kept over a restart, and known to other wardens. */
const SAVE_EVERY_MS = 5 * 60_000;
/** Clocks may differ: what is over by so much is over by all. */
const OVER_BY_ALL_MS = ABSOLUTE_MS + 24 * HOUR_MS;

export const SESSION_SECONDS = ABSOLUTE_MS / 1000;

/** Who is signed in. Always a new token at a login: one that somebody else put into the browser is worth nothing. */
export type ConsoleSessions = {
  begin(person: Person): Promise<string>;
  /** Whose session a token is, and that it was used; null where there is none (any more). */
  find(token: string): { readonly session: ConsoleSession; readonly person: Person } | null;
  /** True where another warden may know more of a token: here it is not known, or opens nothing (any more). */
  isStrange(token: string): boolean;
  end(hash: string): Promise<void>;
  /** Ends those of a person, but for the one kept, which goes on with the password as it is now. */
  endAll(person: Person, keptHash?: string): Promise<void>;
  /** Those that go on and those that were ended, as other wardens are told of them. */
  records(): readonly (SessionRecord | EndedSessionRecord)[];
  /** Takes over what another warden knows, once its person is known. False where it is of no use to anybody any more. */
  take(record: SessionRecord | EndedSessionRecord): Promise<boolean>;
};

export type ConsoleSessionsOptions = {
  readonly store: Pick<Store, 'saveConsoleSession' | 'removeConsoleSessions' | 'endConsoleSessions'>;
  readonly saved: readonly ConsoleSession[];
  readonly ended: readonly EndedSession[];
  readonly people: Pick<People, 'byId' | 'byName'>;
  readonly now: () => number;
  readonly log: Logger;
  /** Tells the other wardens of what was changed here; ends when they can know, or cannot be told now. */
  readonly say: (record: SharedRecord) => Promise<void>;
};

export function createConsoleSessions(options: ConsoleSessionsOptions): ConsoleSessions {
  return new Sessions(options);
}

class Sessions implements ConsoleSessions {
  readonly #options: ConsoleSessionsOptions;
  readonly #sessions: Map<string, ConsoleSession>;
  readonly #savedAt: Map<string, number>;
  readonly #ended: Map<string, EndedSession>;

  constructor(options: ConsoleSessionsOptions) {
    this.#options = options;
    this.#sessions = new Map(options.saved.map((session) => [session.tokenHash, session]));
    this.#savedAt = new Map(options.saved.map((session) => [session.tokenHash, session.lastUsedAt]));
    this.#ended = new Map(options.ended.map((one) => [one.tokenHash, one]));
  }

  async begin(person: Person): Promise<string> {
    await this.#removeOver();
    const token = newToken();
    const at = this.#options.now();
    const times = { createdAt: at, lastUsedAt: at };
    const { id: personId, passwordVersion } = person;
    const session = { tokenHash: tokenHash(token), personId, ...times, passwordVersion };
    await this.#save(session);
    await this.#options.say(sessionRecordOf(session, person));
    return token;
  }

  find(token: string) {
    const { store, now } = this.#options;
    const session = this.#sessions.get(tokenHash(token));
    if (session === undefined) return null;
    const person = this.#options.people.byId(session.personId);
    if (person === null || this.#isOver(session) || session.passwordVersion < person.passwordVersion) {
      this.#unattended(this.#remove([session.tokenHash]));
      return null;
    }
    const used = { ...session, lastUsedAt: now() };
    this.#sessions.set(session.tokenHash, used);
    if (used.lastUsedAt - (this.#savedAt.get(session.tokenHash) ?? 0) > SAVE_EVERY_MS) {
      this.#savedAt.set(session.tokenHash, used.lastUsedAt);
      this.#unattended(store.saveConsoleSession(used));
      this.#unattended(this.#options.say(sessionRecordOf(used, person)));
    }
    return { session: used, person };
  }

  isStrange(token: string): boolean {
    const hash = tokenHash(token);
    const session = this.#sessions.get(hash);
    if (session === undefined) return !this.#ended.has(hash);
    // Over may mean: in use elsewhere. An older password: told of the new one before the session that goes on with it.
    const person = this.#options.people.byId(session.personId);
    return this.#isOver(session) || session.passwordVersion < (person?.passwordVersion ?? 0);
  }

  end(hash: string): Promise<void> {
    return this.#end([hash]);
  }

  async endAll(person: Person, keptHash?: string): Promise<void> {
    const theirs = [...this.#sessions.values()].filter(({ personId }) => personId === person.id);
    const kept = theirs.find((session) => session.tokenHash === keptHash);
    if (kept !== undefined) {
      const goesOn = { ...kept, passwordVersion: person.passwordVersion };
      await this.#save(goesOn);
      await this.#options.say(sessionRecordOf(goesOn, person));
    }
    await this.#end(theirs.filter((session) => session !== kept).map((session) => session.tokenHash));
  }

  records(): readonly (SessionRecord | EndedSessionRecord)[] {
    const live = [...this.#sessions.values()].flatMap((session) => {
      const person = this.#options.people.byId(session.personId);
      if (person === null || this.#isOver(session)) return [];
      // As exactly as it is kept: nobody is to be told of every request of a tab.
      const lastUsedAt = this.#savedAt.get(session.tokenHash) ?? session.lastUsedAt;
      return [sessionRecordOf({ ...session, lastUsedAt }, person)];
    });
    const ended = [...this.#ended.values()].filter(({ endedAt }) => !this.#isOverByAll(endedAt));
    return [...live, ...ended.map(endedSessionRecordOf)];
  }

  async take(record: SessionRecord | EndedSessionRecord): Promise<boolean> {
    if (record.kind === 'ended_session') {
      if (this.#isOverByAll(record.endedAt)) return false;
      if (!this.#ended.has(record.tokenHash)) await this.#keepEnded([record]);
      return true;
    }
    if (this.#isOverByAll(record.createdAt)) return false;
    const person = this.#options.people.byName(record.nameKey);
    if (this.#ended.has(record.tokenHash) || person === null || person.generation !== record.generation) return true;
    const known = this.#sessions.get(record.tokenHash);
    const ours = known === undefined || known.personId !== person.id ? null : sessionRecordOf(known, person);
    const merged = ours === null ? record : mergeRecords(ours, record);
    if (merged.kind === 'session' && (ours === null || !isSameRecord(merged, ours))) {
      const { tokenHash: hash, createdAt, lastUsedAt, passwordVersion } = merged;
      await this.#save({ tokenHash: hash, personId: person.id, createdAt, lastUsedAt, passwordVersion });
    }
    return true;
  }

  async #save(session: ConsoleSession): Promise<void> {
    await this.#options.store.saveConsoleSession(session);
    // Ended while it was written.
    if (this.#ended.has(session.tokenHash)) return this.#remove([session.tokenHash]);
    this.#sessions.set(session.tokenHash, session);
    this.#savedAt.set(session.tokenHash, session.lastUsedAt);
  }

  async #end(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    const endedAt = this.#options.now();
    const ended = hashes.map((hash) => ({ tokenHash: hash, endedAt }));
    const told = ended.map((one) => this.#options.say(endedSessionRecordOf(one)));
    await Promise.all([this.#keepEnded(ended), ...told]);
  }

  /** First here: nobody may stay because the disk is full. */
  async #keepEnded(ended: readonly EndedSession[]): Promise<void> {
    for (const { tokenHash: hash, endedAt } of ended) {
      this.#sessions.delete(hash);
      this.#savedAt.delete(hash);
      this.#ended.set(hash, { tokenHash: hash, endedAt });
    }
    for (const [hash, { endedAt }] of this.#ended) if (this.#isOverByAll(endedAt)) this.#ended.delete(hash);
    await this.#options.store.endConsoleSessions(
      ended.map(({ tokenHash: hash, endedAt }) => ({ tokenHash: hash, endedAt })),
    );
  }

  async #remove(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) {
      this.#sessions.delete(hash);
      this.#savedAt.delete(hash);
    }
    if (hashes.length > 0) await this.#options.store.removeConsoleSessions(hashes);
  }

  #unattended(what: Promise<void>): void {
    what.catch((error: unknown) => this.#options.log.warn({ err: error }, 'the use of a session could not be saved'));
  }

  #isOver({ createdAt, lastUsedAt }: ConsoleSession): boolean {
    const now = this.#options.now();
    return now - lastUsedAt > IDLE_MS || now - createdAt > ABSOLUTE_MS;
  }

  #isOverByAll(since: number): boolean {
    return this.#options.now() - since > OVER_BY_ALL_MS;
  }

  #removeOver(): Promise<void> {
    return this.#remove([...this.#sessions.values()].filter((one) => this.#isOver(one)).map((one) => one.tokenHash));
  }
}
