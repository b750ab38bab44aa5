import { describe, expect, it } from 'vitest';
import type { ApiKey, AuditFilter, NewAuditEntry, NewPerson } from '#lib/access/types.ts';
import { requestRow, temporaryDatabase, write } from './fixtures-for-tests.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

const PERSON: NewPerson = {
  name: 'asha',
  role: 'admin',
  passwordHash: 'scrypt$…',
  createdAt: NOW,
  passwordChangedAt: NOW,
  generation: 1,
  roleVersion: 1,
  passwordVersion: 1,
};
const KEY: Omit<ApiKey, 'id'> = {
  name: 'build farm',
  prefix: 'lmw_abc',
  keyHash: 'hash',
  createdAt: NOW,
  createdBy: 'asha',
  expiresAt: null,
  models: null,
  requestsPerMinute: null,
  concurrentRequests: null,
  revokedAt: null,
};
const ENTRY: NewAuditEntry = {
  at: NOW,
  actor: 'asha',
  role: 'admin',
  address: '127.0.0.1',
  action: 'routing.change',
  subject: 'qwen',
  before: '{"affinity":true}',
  after: '{"affinity":false}',
};
const ALL: AuditFilter = { actor: null, action: null, text: null, sinceMs: null, beforeSeq: null, limit: 100 };

describe('people and their sessions', () => {
  it('come back as they were saved', () => {
    const { database } = temporaryDatabase();
    const id = database.addPerson(PERSON);
    const session = { tokenHash: 'token', personId: id, createdAt: NOW, lastUsedAt: NOW, passwordVersion: 1 };
    database.saveConsoleSession(session);
    database.saveConsoleSession({ ...session, lastUsedAt: NOW + 5, passwordVersion: 2 });
    database.savePerson({ ...PERSON, id, role: 'viewer', passwordChangedAt: NOW + 1 });
    expect(database.access()).toMatchObject({
      people: [{ ...PERSON, id, role: 'viewer', passwordChangedAt: NOW + 1 }],
      sessions: [{ ...session, lastUsedAt: NOW + 5, passwordVersion: 2 }],
    });
  });

  it('go together', () => {
    const { database } = temporaryDatabase();
    const id = database.addPerson(PERSON);
    database.saveConsoleSession({
      tokenHash: 'token',
      personId: id,
      createdAt: NOW,
      lastUsedAt: NOW,
      passwordVersion: 1,
    });
    const removed = { nameKey: 'asha', generation: 1, removedAt: NOW };
    database.removePerson(id, removed);
    expect(database.access()).toMatchObject({ people: [], sessions: [], removedPeople: [removed] });
  });

  it('are remembered as removed once for a name, by the last that bore it', () => {
    const { database } = temporaryDatabase();
    database.removePerson(null, { nameKey: 'asha', generation: 1, removedAt: NOW });
    const last = { nameKey: 'asha', generation: 2, removedAt: NOW + 1 };
    database.removePerson(null, last);
    expect(database.access().removedPeople).toEqual([last]);
  });

  it('are remembered as ended for as long as a session may last', () => {
    const { database } = temporaryDatabase();
    const personId = database.addPerson(PERSON);
    for (const tokenHash of ['a', 'b', 'c']) {
      database.saveConsoleSession({ tokenHash, personId, createdAt: NOW, lastUsedAt: NOW, passwordVersion: 1 });
    }
    database.endConsoleSessions([{ tokenHash: 'a', endedAt: NOW }]);
    const later = { tokenHash: 'b', endedAt: NOW + 9 * 24 * HOUR_MS };
    database.endConsoleSessions([later]);
    expect(database.access()).toMatchObject({ sessions: [{ tokenHash: 'c' }], endedSessions: [later] });
  });

  it('cannot share a name', () => {
    const { database } = temporaryDatabase();
    database.addPerson(PERSON);
    expect(() => database.addPerson({ ...PERSON, role: 'viewer' })).toThrow('UNIQUE');
  });
});

describe('keys', () => {
  it('come back with their limits, the revoked ones too', () => {
    const { database } = temporaryDatabase();
    const limited = {
      ...KEY,
      models: ['qwen', 'a/b'],
      requestsPerMinute: 60,
      concurrentRequests: 4,
      expiresAt: NOW + 1,
    };
    const id = database.addApiKey(limited);
    const revoked = database.addApiKey({ ...KEY, keyHash: 'other' });
    database.revokeApiKey(revoked, NOW + 9);
    const late = database.addApiKey({ ...KEY, keyHash: 'late', revokedAt: NOW });
    expect(database.access().keys).toEqual([
      { ...limited, id },
      { ...KEY, keyHash: 'other', id: revoked, revokedAt: NOW + 9 },
      { ...KEY, keyHash: 'late', id: late, revokedAt: NOW },
    ]);
  });

  it('whose list of models cannot be read allow none', () => {
    const { database, connection } = temporaryDatabase();
    database.addApiKey(KEY);
    connection.sqlite.exec("UPDATE api_key SET models = 'broken'");
    expect(database.access().keys[0]?.models).toEqual([]);
  });
});

describe('what keys used', () => {
  it('adds up by key, without the requests that had none', () => {
    const { database } = temporaryDatabase();
    for (const keyHash of ['first', 'second']) database.addApiKey({ ...KEY, keyHash });
    write(database, {
      requests: [
        requestRow({ apiKeyId: 1, finishedAt: NOW, promptTokens: 100, cachedTokens: 60, completionTokens: 5 }),
        requestRow({
          apiKeyId: 1,
          finishedAt: NOW + HOUR_MS,
          promptTokens: 50,
          cachedTokens: null,
          completionTokens: 7,
        }),
        requestRow({ apiKeyId: 2, finishedAt: NOW }),
        requestRow({ apiKeyId: null, finishedAt: NOW }),
      ],
    });
    write(database, { requests: [requestRow({ apiKeyId: 2, finishedAt: NOW + 1 })] });
    const until = NOW + 5 * HOUR_MS;
    expect(database.keyUsage(NOW, until)).toEqual([
      { apiKeyId: 1, requests: 2, measured: 1, cachedTokens: 60, computedTokens: 90, completionTokens: 12 },
      { apiKeyId: 2, requests: 2, measured: 2, cachedTokens: 1600, computedTokens: 400, completionTokens: 100 },
    ]);
    expect(database.keyUsage(NOW + HOUR_MS, until)).toMatchObject([{ apiKeyId: 1, requests: 1 }]);
    // Neither end needs to be a whole hour, and both may lie in the same one.
    expect(database.keyUsage(NOW + 1, NOW + 2)).toMatchObject([{ apiKeyId: 2, requests: 1 }]);
    expect(database.keyUsage(NOW + 1, NOW + HOUR_MS + 1)).toMatchObject([
      { apiKeyId: 1, requests: 1, computedTokens: 50 },
      { apiKeyId: 2, requests: 1 },
    ]);
    expect(database.keyUsage(NOW + 1, NOW + HOUR_MS)).toMatchObject([{ apiKeyId: 2, requests: 1 }]);
    expect(database.keyUsage(NOW + 2, NOW + HOUR_MS)).toEqual([]);
    expect(database.access().lastUsed).toEqual(
      new Map([
        [1, NOW + HOUR_MS],
        [2, NOW + 1],
      ]),
    );
  });

  it('is deleted when it is older than the rollups are kept', () => {
    const { database } = temporaryDatabase({ hourDays: 1 });
    database.addApiKey(KEY);
    write(database, { requests: [requestRow({ apiKeyId: 1, finishedAt: NOW })] });
    while (database.retain(NOW + 3 * 24 * HOUR_MS));
    expect(database.keyUsage(0, NOW + 4 * 24 * HOUR_MS)).toEqual([]);
  });
});

describe('the audit list', () => {
  it('is read newest first, page by page', () => {
    const { database } = temporaryDatabase();
    for (let at = 0; at < 5; at += 1) database.addAudit({ ...ENTRY, at: NOW + at });
    const first = database.auditEntries({ ...ALL, limit: 2 });
    expect(first.entries.map((entry) => entry.at - NOW)).toEqual([4, 3]);
    const second = database.auditEntries({ ...ALL, limit: 2, beforeSeq: first.next });
    expect(second.entries.map((entry) => entry.at - NOW)).toEqual([2, 1]);
    const last = database.auditEntries({ ...ALL, limit: 2, beforeSeq: second.next });
    expect(last.entries.map((entry) => entry.at - NOW)).toEqual([0]);
    expect(last.next).toBeNull();
  });

  it.each([
    ['actor', { actor: 'asha' }, 1],
    ['action', { action: 'key.make' }, 1],
    ['time', { sinceMs: NOW + 1 }, 1],
    ['text in the subject', { text: 'build' }, 1],
    ['text in what changed', { text: 'false}' }, 1],
    ['text that has signs of SQL in it', { text: '100%_' }, 1],
    ['text that is nowhere', { text: "' OR 1=1" }, 0],
  ])('is filtered by %s', (_name, filter, found) => {
    const { database } = temporaryDatabase();
    database.addAudit(ENTRY);
    database.addAudit({
      ...ENTRY,
      at: NOW + 1,
      actor: 'ravi',
      action: 'key.make',
      subject: 'build farm 100%_',
      after: null,
    });
    expect(database.auditEntries({ ...ALL, ...filter }).entries).toHaveLength(found);
  });
});
