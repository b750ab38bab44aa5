import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeRecords } from './merge-records.ts';
import { formatPasswordHash, SCRYPT_COST } from './password-hash.ts';
import { isSameRecord, recordText, type SharedRecord, sharedRecord } from './shared-record.ts';

const hash = 'ab'.repeat(32);
/** Few of each, so that draws agree and differ in every way. */
const time = fc.integer({ min: 1, max: 4 });
const version = fc.integer({ min: 1, max: 3 });
const passwordHash = fc
  .constantFrom('YQ', 'Yg')
  .map((salt) => formatPasswordHash({ cost: SCRYPT_COST, salt, hash: 'YWJj' }));

const maybeTime = fc.option(time, { nil: null });
const key: fc.Arbitrary<SharedRecord> = fc.record({
  kind: fc.constant('key'),
  keyHash: fc.constant(hash),
  name: fc.constantFrom('one', 'other'),
  prefix: fc.constant('lmw_abcd'),
  createdAt: time,
  createdBy: fc.constant('asha'),
  expiresAt: maybeTime,
  models: fc.constantFrom('', 'a', 'a b').map((names) => (names === '' ? null : names.split(' '))),
  requestsPerMinute: fc.constant(null),
  concurrentRequests: fc.constantFrom(null, 1, 2),
  revokedAt: maybeTime,
});
const person: fc.Arbitrary<SharedRecord> = fc.record({
  kind: fc.constant('person'),
  name: fc.constantFrom('Bob', 'bob', 'BOB'),
  generation: version,
  createdAt: time,
  role: fc.constantFrom('admin', 'viewer'),
  roleVersion: version,
  passwordHash,
  passwordVersion: version,
  passwordChangedAt: time,
});
const removed: fc.Arbitrary<SharedRecord> = fc.record({
  kind: fc.constant('removed_person'),
  nameKey: fc.constant('bob'),
  generation: version,
  removedAt: time,
});
const session: fc.Arbitrary<SharedRecord> = fc.record({
  kind: fc.constant('session'),
  tokenHash: fc.constant(hash),
  nameKey: fc.constantFrom('bob', 'eve'),
  generation: version,
  passwordVersion: version,
  createdAt: time,
  lastUsedAt: time,
});
const ended: fc.Arbitrary<SharedRecord> = fc.record({
  kind: fc.constant('ended_session'),
  tokenHash: fc.constant(hash),
  endedAt: time,
});

const OF_ONE_THING = { keys: key, people: fc.oneof(person, removed), sessions: fc.oneof(session, ended) } as const;

describe.each(Object.entries(OF_ONE_THING))('records of %s', (_, record) => {
  it('come to the same in whatever order, by whatever way and however often they are heard', () => {
    fc.assert(
      fc.property(record, record, record, (a, b, c) => {
        expect(recordText(mergeRecords(a, b))).toBe(recordText(mergeRecords(b, a)));
        expect(recordText(mergeRecords(a, mergeRecords(b, c)))).toBe(recordText(mergeRecords(mergeRecords(a, b), c)));
        const merged = mergeRecords(a, b);
        expect(isSameRecord(mergeRecords(merged, a), merged)).toBe(true);
        expect(isSameRecord(mergeRecords(merged, merged), merged)).toBe(true);
        expect(sharedRecord.parse(merged)).toEqual(merged);
      }),
    );
  });
});

describe('what was taken away', () => {
  it('never comes back: a key that was revoked is', () => {
    fc.assert(
      fc.property(key, key, (one, other) => {
        const isRevoked = [one, other].some((record) => record.kind === 'key' && record.revokedAt !== null);
        const merged = mergeRecords(one, other);
        expect(merged.kind === 'key' && merged.revokedAt !== null).toBe(isRevoked);
      }),
    );
  });

  it('never comes back: a person who was removed, unless the name was given anew', () => {
    fc.assert(
      fc.property(removed, person, (gone, stale) => {
        if (gone.kind !== 'removed_person' || stale.kind !== 'person') throw new Error('drawn otherwise');
        const merged = mergeRecords(stale, gone);
        expect(merged.kind).toBe(stale.generation > gone.generation ? 'person' : 'removed_person');
      }),
    );
  });

  it('never comes back: a session that was ended', () => {
    fc.assert(
      fc.property(ended, session, (over, stale) => {
        expect(mergeRecords(stale, over)).toEqual(over);
      }),
    );
  });
});

describe('a person changed at two wardens at once', () => {
  const bob = {
    kind: 'person',
    name: 'bob',
    generation: 1,
    createdAt: 1,
    role: 'admin',
    roleVersion: 1,
    passwordHash: formatPasswordHash({ cost: SCRYPT_COST, salt: 'YQ', hash: 'YWJj' }),
    passwordVersion: 1,
    passwordChangedAt: 9,
  } as const;

  it('has the new role and the new password', () => {
    const demoted = { ...bob, role: 'viewer', roleVersion: 2 } as const;
    const renewed = { ...bob, passwordHash: 'scrypt$1024$8$1$YQ$YWJj', passwordVersion: 2, passwordChangedAt: 1 };
    expect(mergeRecords(demoted, renewed)).toEqual({ ...renewed, role: 'viewer', roleVersion: 2 });
  });

  it('may do the lesser of two things that were given at once', () => {
    expect(mergeRecords(bob, { ...bob, role: 'viewer' })).toMatchObject({ role: 'viewer' });
  });

  it('is no one else: records of two things are not merged', () => {
    expect(() => mergeRecords(bob, { ...bob, name: 'eve' })).toThrow();
  });
});

describe('a record', () => {
  it.each([
    ['that is no JSON object', null],
    ['of a kind that is not known', { kind: 'group', name: 'x' }],
    ['with a password that would take a machine down', { ...base(), passwordHash: 'scrypt$99999999$8$1$YQ$YWJj' }],
    ['with a password hash that is none', { ...base(), passwordHash: '' }],
    ['with a role that there is not', { ...base(), role: 'root' }],
    ['with a generation of nobody', { ...base(), generation: 0 }],
    ['with times that are none', { ...base(), createdAt: 'now' }],
  ])('%s is none', (_, value) => {
    expect(sharedRecord.safeParse(value).success).toBe(false);
    expect(sharedRecord.safeParse(base()).success).toBe(true);
  });
});

function base() {
  const passwordHash = 'scrypt$1024$8$1$YQ$YWJj';
  const versions = { generation: 1, roleVersion: 1, passwordVersion: 1 };
  return { kind: 'person', name: 'bob', role: 'admin', passwordHash, createdAt: 1, passwordChangedAt: 1, ...versions };
}
