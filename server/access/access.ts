import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { type HostRule, hostName, isLoopback, isWildcard } from '#lib/access/host.ts';
import { type OwnChange, ownChangeEntry } from '#lib/access/own-change.ts';
import type { SharedRecord } from '#lib/access/shared-record.ts';
import type { NewAuditEntry } from '#lib/access/types.ts';
import type { Fleet } from '#server/fleet/fleet.ts';
import type { KeyUseHost } from '#server/fleet/key-use.ts';
import type { SharedAccess } from '#server/fleet/shared-access.ts';
import { createVault } from '#server/fleet/vault.ts';
import type { Store } from '#server/store/store.ts';
import type { AccessSettings } from './access-settings.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import { createConnectionReader } from './connection.ts';
import { type ConsoleSessions, createConsoleSessions } from './console-sessions.ts';
import { createDoorMark } from './door-mark.ts';
import { createFellowProofs, type FellowProofs } from './fellow-proofs.ts';
import { createFirstRun, type FirstRun } from './first-run.ts';
import { createKeyLimits, type KeyLimits } from './key-limits.ts';
import { createLoginThrottle, type LoginThrottle } from './login-throttle.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createPeople, type People } from './people.ts';
import { sharedBooks } from './shared-books.ts';
import { tokenHash } from './tokens.ts';
import { createTurns, type InTurn } from './turns.ts';

/**
 * `open`: on loopback, without a password. `password`: people sign in. `first_run`: nobody can sign in yet, and whoever
 * has the link that was printed makes the first admin. `locked`: there are accounts or keys, and they cannot be read.
 */
export type AccessMode = 'open' | 'password' | 'first_run' | 'locked';

/** All that decides who may enter, and what is changed when somebody is let in or put out. */
export type Access = {
  readonly settings: AccessSettings;
  readonly people: People;
  readonly sessions: ConsoleSessions;
  readonly keys: ApiKeys;
  readonly limits: KeyLimits;
  readonly passwords: Passwords;
  readonly throttle: LoginThrottle;
  readonly firstRun: FirstRun;
  readonly connectionOf: ReturnType<typeof createConnectionReader>;
  readonly hosts: HostRule;
  /** True where only this machine can reach the server. */
  readonly isLocal: boolean;
  /** True where keys, people and sign-ins are those of a fleet. */
  readonly isShared: boolean;
  /** How wardens of the fleet know one another; null where they have no secret in common. */
  readonly fellows: FellowProofs | null;
  /** Asks the other wardens' memory for a session that says nothing here; null where there is nothing to ask. */
  recall(token: string): Promise<void> | null;
  mode(): AccessMode;
  areKeysRequired(): boolean;
  /** Writes a change into the audit list; what cannot be written goes to the log. */
  audit(entry: Omit<NewAuditEntry, 'at'>): Promise<void>;
};

export type AccessOptions = {
  readonly settings: AccessSettings;
  /** What the server listens on. */
  readonly host: string;
  /** URLs under which it says that it is to be found; their names are names of it. */
  readonly ownUrls?: readonly string[];
  /** Where the database lies. */
  readonly dataDir: string;
  readonly store: Store;
  /** The wardens that share one memory; null where this is the only one. */
  readonly wardens: Fleet | null;
  readonly now: () => number;
  readonly log: Logger;
};

/** Why the process must not start as it is configured, for a person. */
export type AccessRefusal = { readonly kind: 'refused'; readonly message: string };

/** The person that WARDEN_ADMIN_PASSWORD is for. */
export const ENVIRONMENT_ADMIN = 'admin';

/** A warden that knows nobody yet waits so long for what the others know. */
const HEAR_WITHIN_MS = 3000;

/** Reads who may enter. Refuses to listen for others than this machine while nobody could be asked for a password. */
export async function openAccess(options: AccessOptions): Promise<Access | AccessRefusal> {
  const { settings, host, store, now, log } = options;
  const books = await openBooks(options);
  const { people, sessions, keys, passwords, limits, isUnread, onChange } = books;
  const joined = await shareBooks(options, books);
  const shared = joined?.shared ?? null;
  if (people.all().length === 0) await shared?.heard(HEAR_WITHIN_MS);
  const isLocal = isLoopback(host);
  const audit = (entry: NewAuditEntry): Promise<void> =>
    store.addAudit(entry).catch((error: unknown) => {
      log.error({ err: error, entry }, 'a change could not be written into the audit list');
    });
  if (settings.adminPassword !== null) {
    const changed = await takePassword(settings.adminPassword, people, sessions, passwords);
    for (const change of changed) await audit(ownChangeEntry({ actor: 'environment', ...change }, now()));
  }
  const isEmpty = (): boolean => people.all().length === 0;
  if (!isLocal && isEmpty() && (isUnread || !settings.firstRun)) {
    return { kind: 'refused', message: isUnread ? UNREAD : needsPassword(host) };
  }
  onChange();
  /** In a fleet no door opens because nobody is left, or because the others were not heard: a person opens doors. */
  const isUnsure = (): boolean => isUnread || (shared !== null && (!shared.isHeard || people.isAnyRemoved()));
  const mode = (): AccessMode => {
    if (!isEmpty()) return 'password';
    if (isUnsure()) return 'locked';
    return isLocal ? 'open' : 'first_run';
  };
  const mayKeysBeKnown = (): boolean =>
    keys.isAny() || isUnread || (shared !== null && (!shared.isHeard || keys.all().length > 0));

  return {
    settings,
    people,
    sessions,
    keys,
    limits,
    passwords,
    throttle: createLoginThrottle(),
    firstRun: createFirstRun(now),
    connectionOf: createConnectionReader(settings.trustedProxies),
    hosts: { bound: host, allowed: allowedHosts(options) },
    isLocal,
    isShared: shared !== null,
    fellows: joined?.fellows ?? null,
    mode,
    areKeysRequired: () => settings.requireKeys === 'always' || !isLocal || mayKeysBeKnown(),
    recall: (token) =>
      shared !== null && sessions.isStrange(token) ? shared.ask(`session:${tokenHash(token)}`) : null,
    audit: (entry) => audit({ at: now(), ...entry }),
  };
}

type Books = {
  readonly people: People;
  readonly sessions: ConsoleSessions;
  readonly keys: ApiKeys;
  readonly limits: KeyLimits;
  readonly passwords: Passwords;
  readonly inTurn: InTurn;
  /** There are accounts or keys, and they cannot be read. */
  readonly isUnread: boolean;
  readonly onChange: () => void;
  /** Whom changes are told, once they are shared. */
  readonly tellTo: (shared: SharedAccess) => void;
};

/** What this warden's own database knows. */
async function openBooks({ dataDir, store, now, log }: AccessOptions): Promise<Books> {
  const saved = await store.access();
  const passwords = createPasswords();
  const mark = createDoorMark(dataDir, log);
  const inTurn = createTurns();
  const onChange = (): void => {
    if (!store.isInMemory()) mark.set(people.all().length > 0 || keys.isAny());
  };
  let shared: SharedAccess | null = null;
  const say = async (record: SharedRecord): Promise<void> => shared?.say(record);
  const changes = { store, now, inTurn, onChange, say };
  const people: People = createPeople({
    ...changes,
    saved: saved.people,
    removed: saved.removedPeople,
    passwords,
  });
  const keys: ApiKeys = createApiKeys({ ...changes, saved: saved.keys, lastUsed: saved.lastUsed });
  const sessions = createConsoleSessions({
    store,
    saved: saved.sessions,
    ended: saved.endedSessions,
    people,
    now,
    log,
    say,
  });
  const tellTo = (others: SharedAccess): void => {
    shared = others;
  };
  const isUnread = store.isInMemory() && mark.isSet();
  return { people, sessions, keys, limits: createKeyLimits(), passwords, inTurn, isUnread, onChange, tellTo };
}

type Joined = { readonly shared: SharedAccess; readonly fellows: FellowProofs };

/** Shares the books with the other wardens; null where there are none, or no secret to know them by. */
async function shareBooks({ settings, wardens }: AccessOptions, books: Books): Promise<Joined | null> {
  const secret = settings.sharedSecret ?? settings.adminPassword;
  if (wardens === null || secret === null) return null;
  const { keys, limits } = books;
  const use: KeyUseHost = {
    isNeeded: () =>
      keys
        .all()
        .some(({ requestsPerMinute, concurrentRequests }) => (requestsPerMinute ?? concurrentRequests) !== null),
    counts: (now) => limits.counts(now),
    hear: (others) => limits.hear(others),
    share: (among) => limits.share(among),
  };
  const vault = await createVault(secret);
  const shared = wardens.shareAccess(vault, sharedBooks(books), use);
  books.tellTo(shared);
  return { shared, fellows: createFellowProofs(vault, wardens) };
}

/** The password of the environment is the one of `admin`, also where the database knew another. Tells what it changed. */
async function takePassword(
  password: string,
  people: People,
  sessions: ConsoleSessions,
  passwords: Passwords,
): Promise<readonly Omit<OwnChange, 'actor'>[]> {
  const person = people.byName(ENVIRONMENT_ADMIN);
  const subject = ENVIRONMENT_ADMIN;
  if (person === null) {
    await people.add(ENVIRONMENT_ADMIN, 'admin', password);
    return [{ action: 'person.add', subject, before: null, after: { role: 'admin' } }];
  }
  const changed: Omit<OwnChange, 'actor'>[] = [];
  if (!(await passwords.matches(password, person.passwordHash))) {
    await sessions.endAll(await people.setPassword(person, password));
    changed.push({ action: 'person.change', subject, before: null, after: { password: 'another one' } });
  }
  if (person.role !== 'admin') {
    await people.setRole(person, 'admin');
    changed.push({ action: 'person.change', subject, before: { role: person.role }, after: { role: 'admin' } });
  }
  return changed;
}

/** On all addresses, this machine's own name is one of the names that it is called by. */
function allowedHosts({ settings, host, ownUrls = [] }: AccessOptions): readonly string[] {
  const told = ownUrls.flatMap((url) => hostName(new URL(url).host) ?? []);
  const given = [...settings.allowedHosts, ...told];
  return isWildcard(host) ? [...given, hostname().toLowerCase()] : given;
}

const UNREAD =
  'there are accounts or API keys, and the database that holds them cannot be used. Mend it, or set WARDEN_ADMIN_PASSWORD.';

function needsPassword(host: string): string {
  return [
    `listening on ${host} needs a password, since others than this machine could reach the console.`,
    'Do one of these:',
    '  - set WARDEN_ADMIN_PASSWORD: the password of the person "admin" (at least 8 characters)',
    '  - set WARDEN_FIRST_RUN=true: a link is printed with which the first admin is made, once',
    '  - start on 127.0.0.1 and make an admin there on the page Access',
    '  - leave WARDEN_HOST at 127.0.0.1',
  ].join('\n');
}
