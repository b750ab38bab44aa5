import * as z from 'zod';
import { parsePasswordHash } from './password-hash.ts';
import type { ApiKey, ConsoleSession, EndedSession, Person, RemovedPerson } from './types.ts';
import { personKey } from './types.ts';

/*
 * What wardens tell one another of who may enter. Numbers of rows are each warden's own, so a key goes by its hash, a
 * person by the name and a session by the hash of its token.
 */

const time = z.int().min(0);
const count = z.int().min(1);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** More than this would take minutes, or all memory, to compare. */
const MAX_COST = 2 ** 20;

const keyRecord = z.object({
  kind: z.literal('key'),
  keyHash: sha256,
  name: z.string().max(256),
  prefix: z.string().max(16),
  createdAt: time,
  createdBy: z.string().max(256),
  expiresAt: time.nullable(),
  models: z.array(z.string()).nullable(),
  requestsPerMinute: count.nullable(),
  concurrentRequests: count.nullable(),
  revokedAt: time.nullable(),
});

const personRecord = z.object({
  kind: z.literal('person'),
  name: z.string().min(1).max(64),
  generation: count,
  createdAt: time,
  role: z.enum(['admin', 'viewer']),
  roleVersion: count,
  passwordHash: z.string().refine((text) => (parsePasswordHash(text)?.cost.N ?? Number.POSITIVE_INFINITY) <= MAX_COST),
  passwordVersion: count,
  passwordChangedAt: time,
});

const removedPersonRecord = z.object({
  kind: z.literal('removed_person'),
  nameKey: z.string().min(1).max(64),
  generation: count,
  removedAt: time,
});

const sessionRecord = z.object({
  kind: z.literal('session'),
  tokenHash: sha256,
  /** Whose: the name as `personKey` has it, and which bearer of it. */
  nameKey: z.string().min(1).max(64),
  generation: count,
  passwordVersion: count,
  createdAt: time,
  lastUsedAt: time,
});

const endedSessionRecord = z.object({ kind: z.literal('ended_session'), tokenHash: sha256, endedAt: time });

/** Something that is known of access; parsed with it wherever it comes from another warden. */
export const sharedRecord = z.discriminatedUnion('kind', [
  keyRecord,
  personRecord,
  removedPersonRecord,
  sessionRecord,
  endedSessionRecord,
]);
export type KeyRecord = z.infer<typeof keyRecord>;
export type PersonRecord = z.infer<typeof personRecord>;
export type RemovedPersonRecord = z.infer<typeof removedPersonRecord>;
export type SessionRecord = z.infer<typeof sessionRecord>;
export type EndedSessionRecord = z.infer<typeof endedSessionRecord>;
export type SharedRecord = z.infer<typeof sharedRecord>;

/** What a record is about, the same at every warden. */
export type Identity = `${'key' | 'person' | 'session'}:${string}`;

export function identityOf(record: SharedRecord): Identity {
  switch (record.kind) {
    case 'key':
      return `key:${record.keyHash}`;
    case 'person':
      return `person:${personKey(record.name)}`;
    case 'removed_person':
      return `person:${record.nameKey}`;
    case 'session':
    case 'ended_session':
      return `session:${record.tokenHash}`;
  }
}

/** Parsing brings the fields of a record into one order, whoever wrote it. */
export function recordText(record: SharedRecord): string {
  return JSON.stringify(sharedRecord.parse(record));
}

/** Fields have values, or lists of names: compared one by one, as this is done for all there is every few seconds. */
export function isSameRecord(one: SharedRecord, other: SharedRecord): boolean {
  const fields: Readonly<Record<string, unknown>> = { ...other };
  const entries = Object.entries(one);
  if (entries.length !== Object.keys(fields).length) return false;
  return entries.every(([name, value]) => value === fields[name] || isSameList(value, fields[name]));
}

function isSameList(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other);
}

export function keyRecordOf({ id: _, models, ...key }: ApiKey): KeyRecord {
  return { kind: 'key', ...key, models: models === null ? null : [...models] };
}

export function personRecordOf({ id: _, ...person }: Person): PersonRecord {
  return { kind: 'person', ...person };
}

export const removedPersonRecordOf = (removed: RemovedPerson): RemovedPersonRecord => ({
  kind: 'removed_person',
  ...removed,
});

export function sessionRecordOf({ personId: _, ...session }: ConsoleSession, person: Person): SessionRecord {
  return { kind: 'session', ...session, nameKey: personKey(person.name), generation: person.generation };
}

export const endedSessionRecordOf = (ended: EndedSession): EndedSessionRecord => ({ kind: 'ended_session', ...ended });
