import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { type HostRule, isLoopback, isWildcard } from '#lib/access/host.ts';
import type { NewAuditEntry } from '#lib/access/types.ts';
import type { Store } from '#server/store/store.ts';
import type { AccessSettings } from './access-settings.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import { createConnectionReader } from './connection.ts';
import { type ConsoleSessions, createConsoleSessions } from './console-sessions.ts';
import { createDoorMark } from './door-mark.ts';
import { createFirstRun, type FirstRun } from './first-run.ts';
import { createKeyLimits, type KeyLimits } from './key-limits.ts';
import { createLoginThrottle, type LoginThrottle } from './login-throttle.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createPeople, type People } from './people.ts';

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
  mode(): AccessMode;
  areKeysRequired(): boolean;
  /** Writes a change into the audit list; what cannot be written goes to the log. */
  audit(entry: Omit<NewAuditEntry, 'at'>): Promise<void>;
};

export type AccessOptions = {
  readonly settings: AccessSettings;
  /** What the server listens on. */
  readonly host: string;
  /** Where the database lies. */
  readonly dataDir: string;
  readonly store: Store;
  readonly now: () => number;
  readonly log: Logger;
};

/** Why the process must not start as it is configured, for a person. */
export type AccessRefusal = { readonly kind: 'refused'; readonly message: string };

/** The person that WARDEN_ADMIN_PASSWORD is for. */
export const ENVIRONMENT_ADMIN = 'admin';

/** Reads who may enter. Refuses to listen for others than this machine while nobody could be asked for a password. */
export async function openAccess(options: AccessOptions): Promise<Access | AccessRefusal> {
  const { settings, host, dataDir, store, now, log } = options;
  const saved = await store.access();
  const passwords = createPasswords();
  const mark = createDoorMark(dataDir, log);
  const isUnread = store.isInMemory() && mark.isSet();
  const onChange = (): void => {
    if (!store.isInMemory()) mark.set(people.all().length > 0 || keys.isAny());
  };
  const people: People = createPeople({ store, saved: saved.people, passwords, now, onChange });
  const sessions = createConsoleSessions({ store, saved: saved.sessions, now, log });
  const keys: ApiKeys = createApiKeys({ store, saved: saved.keys, lastUsed: saved.lastUsed, now, onChange });
  const isLocal = isLoopback(host);
  if (settings.adminPassword !== null) await takePassword(settings.adminPassword, people, sessions, passwords);
  const hasAdmin = (): boolean => people.all().some((person) => person.role === 'admin');
  if (!isLocal && !hasAdmin() && (isUnread || !settings.firstRun)) {
    return { kind: 'refused', message: isUnread ? UNREAD : needsPassword(host) };
  }
  onChange();
  const mode = (): AccessMode => {
    if (hasAdmin()) return 'password';
    if (isUnread) return 'locked';
    return isLocal ? 'open' : 'first_run';
  };

  return {
    settings,
    people,
    sessions,
    keys,
    limits: createKeyLimits(),
    passwords,
    throttle: createLoginThrottle(),
    firstRun: createFirstRun(now),
    connectionOf: createConnectionReader(settings.trustedProxies),
    hosts: { bound: host, allowed: allowedHosts(settings, host) },
    isLocal,
    mode,
    areKeysRequired: () => isUnread || settings.requireKeys === 'always' || !isLocal || keys.isAny(),
    audit: (entry) =>
      store.addAudit({ at: now(), ...entry }).catch((error: unknown) => {
        log.error({ err: error, entry }, 'a change could not be written into the audit list');
      }),
  };
}

/** The password of the environment is the one of `admin`, also where the database knew another. */
async function takePassword(
  password: string,
  people: People,
  sessions: ConsoleSessions,
  passwords: Passwords,
): Promise<void> {
  const person = people.byName(ENVIRONMENT_ADMIN);
  if (person === null) {
    await people.add(ENVIRONMENT_ADMIN, 'admin', password);
    return;
  }
  if (!(await passwords.matches(password, person.passwordHash))) {
    await people.setPassword(person, password);
    await sessions.endAll(person.id);
  }
  if (person.role !== 'admin') await people.setRole(person, 'admin');
}

/** On all addresses, this machine's own name is one of the names that it is called by. */
function allowedHosts({ allowedHosts: given }: AccessSettings, host: string): readonly string[] {
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
