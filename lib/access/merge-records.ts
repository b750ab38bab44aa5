import {
  type EndedSessionRecord,
  identityOf,
  isSameRecord,
  type KeyRecord,
  type PersonRecord,
  type RemovedPersonRecord,
  recordText,
  type SessionRecord,
  type SharedRecord,
} from './shared-record.ts';

/**
 * What holds where two wardens know different things of one key, person or session. The same whatever the order, and
 * however often: so all wardens come to know the same, by whatever way. What was revoked, removed or ended stays so, and
 * no clock decides it.
 */
export function mergeRecords(one: SharedRecord, other: SharedRecord): SharedRecord {
  if (identityOf(one) !== identityOf(other)) throw new Error('records of two things cannot be merged');
  if (one.kind === 'key' && other.kind === 'key') return mergeKeys(one, other);
  if (isOfPerson(one) && isOfPerson(other)) return mergePeople(one, other);
  if (isOfSession(one) && isOfSession(other)) return mergeSessions(one, other);
  throw new Error('records of two kinds cannot be merged');
}

/** A key is made once and never changed, but for its revocation; a first one stands. */
function mergeKeys(one: KeyRecord, other: KeyRecord): KeyRecord {
  const made = firstOf({ ...one, revokedAt: null }, { ...other, revokedAt: null });
  return { ...made, revokedAt: earliest(one.revokedAt, other.revokedAt) };
}

type OfPerson = PersonRecord | RemovedPersonRecord;

/** A later bearer of a name has nothing to do with one before; of the same one, removed is removed. */
function mergePeople(one: OfPerson, other: OfPerson): OfPerson {
  if (one.generation !== other.generation) return one.generation > other.generation ? one : other;
  if (one.kind === 'removed_person' || other.kind === 'removed_person') {
    if (one.kind === 'person') return other;
    return other.kind === 'person' || one.removedAt <= other.removedAt ? one : other;
  }
  const { role, roleVersion } = newerRole(one, other);
  const { passwordHash, passwordVersion, passwordChangedAt } = newerPassword(one, other);
  const password = { passwordHash, passwordVersion, passwordChangedAt };
  const [name = one.name] = [one.name, other.name].sort();
  return { ...one, name, createdAt: Math.min(one.createdAt, other.createdAt), role, roleVersion, ...password };
}

/** Of two that were given without knowing of one another, the one that may do less. */
function newerRole(one: PersonRecord, other: PersonRecord): PersonRecord {
  if (one.roleVersion !== other.roleVersion) return one.roleVersion > other.roleVersion ? one : other;
  return one.role === 'viewer' ? one : other;
}

function newerPassword(one: PersonRecord, other: PersonRecord): PersonRecord {
  if (one.passwordVersion !== other.passwordVersion) return one.passwordVersion > other.passwordVersion ? one : other;
  if (one.passwordChangedAt !== other.passwordChangedAt) {
    return one.passwordChangedAt > other.passwordChangedAt ? one : other;
  }
  return one.passwordHash > other.passwordHash ? one : other;
}

type OfSession = SessionRecord | EndedSessionRecord;

function mergeSessions(one: OfSession, other: OfSession): OfSession {
  if (one.kind === 'ended_session' || other.kind === 'ended_session') {
    if (one.kind === 'session') return other;
    return other.kind === 'session' || one.endedAt <= other.endedAt ? one : other;
  }
  return {
    ...(one.nameKey < other.nameKey || (one.nameKey === other.nameKey && one.generation <= other.generation)
      ? one
      : other),
    passwordVersion: Math.max(one.passwordVersion, other.passwordVersion),
    createdAt: Math.min(one.createdAt, other.createdAt),
    lastUsedAt: Math.max(one.lastUsedAt, other.lastUsedAt),
  };
}

const isOfPerson = (record: SharedRecord): record is OfPerson =>
  record.kind === 'person' || record.kind === 'removed_person';

const isOfSession = (record: SharedRecord): record is OfSession =>
  record.kind === 'session' || record.kind === 'ended_session';

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Either would do, as long as it is the same one everywhere. */
function firstOf(one: KeyRecord, other: KeyRecord): KeyRecord {
  if (isSameRecord(one, other)) return one;
  return recordText(one) <= recordText(other) ? one : other;
}
