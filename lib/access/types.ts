/** An admin may change everything; a viewer sees the console and changes nothing. */
export type Role = 'admin' | 'viewer';

/** Times are ms since the epoch, as everywhere here. */
export type NewPerson = {
  readonly name: string;
  readonly role: Role;
  /** As `formatPasswordHash` writes it. */
  readonly passwordHash: string;
  readonly createdAt: number;
  readonly passwordChangedAt: number;
  /** Which bearer of this name, from 1: one more where somebody was removed and the name is given anew. */
  readonly generation: number;
  /** How often the role and the password were set, from 1: wardens that share people tell by them which is newer. */
  readonly roleVersion: number;
  readonly passwordVersion: number;
};
export type Person = NewPerson & { readonly id: number };

/** That somebody was removed: `nameKey` is the name as `personKey` has it, `generation` the last that is gone. */
export type RemovedPerson = { readonly nameKey: string; readonly generation: number; readonly removedAt: number };

/** Names are the same whatever their capitals. */
export function personKey(name: string): string {
  return name.toLowerCase();
}

/** Somebody's stay in the console; of the cookie's token only the SHA-256 is known. */
export type ConsoleSession = {
  readonly tokenHash: string;
  readonly personId: number;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** Of the person's password at the login: an older one than the person's opens nothing. */
  readonly passwordVersion: number;
};

/** That a session was ended before its time. */
export type EndedSession = { readonly tokenHash: string; readonly endedAt: number };

/** A key for `/v1`. Null means without a limit, without an end, for all models. */
export type NewApiKey = {
  readonly name: string;
  /** The beginning of the key, by which people recognise it. */
  readonly prefix: string;
  readonly keyHash: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number | null;
  readonly models: readonly string[] | null;
  readonly requestsPerMinute: number | null;
  readonly concurrentRequests: number | null;
};
export type ApiKey = NewApiKey & { readonly id: number; readonly revokedAt: number | null };

/** What a key used over a stretch of time. `measured`: requests whose cached tokens the engine told. */
export type KeyUsage = {
  readonly apiKeyId: number;
  readonly requests: number;
  readonly measured: number;
  readonly cachedTokens: number;
  readonly computedTokens: number;
  readonly completionTokens: number;
};

/** One change. `before` and `after`: JSON of what changed; null where there was, or is, nothing. */
export type NewAuditEntry = {
  readonly at: number;
  readonly actor: string;
  readonly role: string;
  readonly address: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly before: string | null;
  readonly after: string | null;
};
export type AuditEntry = NewAuditEntry & { readonly seq: number };

/** Entries that match. `next`: `beforeSeq` of those behind them, null where there are none. */
export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: number | null };

/** Which entries are asked for; null: any. `beforeSeq` goes on where a page ended. */
export type AuditFilter = {
  readonly actor: string | null;
  readonly action: string | null;
  /** Found anywhere in subject, before or after. */
  readonly text: string | null;
  readonly sinceMs: number | null;
  readonly beforeSeq: number | null;
  readonly limit: number;
};

/** All that is needed to decide who may enter. */
export type StoredAccess = {
  readonly people: readonly Person[];
  readonly removedPeople: readonly RemovedPerson[];
  readonly sessions: readonly ConsoleSession[];
  readonly endedSessions: readonly EndedSession[];
  readonly keys: readonly ApiKey[];
  /** When each key was last used, by its id. */
  readonly lastUsed: ReadonlyMap<number, number>;
};
