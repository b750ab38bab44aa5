import { and, desc, eq, gte, inArray, like, lt, or, type SQL, sql } from 'drizzle-orm';
import { apiKey, audit, consoleSession, endedSession, person, removedPerson } from '#drizzle/schema.ts';
import type {
  ApiKey,
  AuditFilter,
  AuditPage,
  ConsoleSession,
  EndedSession,
  NewAuditEntry,
  NewPerson,
  Person,
  RemovedPerson,
  StoredAccess,
} from '#lib/access/types.ts';
import type { Connection } from './open.ts';

/** People, their sessions, keys and the audit list. What is saved is on the disk when the call returns. */
export type AccessTables = {
  all(): StoredAccess;
  addPerson(row: NewPerson): number;
  savePerson(row: Person): void;
  /** Ends their sessions as well; `id` null: nobody of that name was here. */
  removePerson(id: number | null, removed: RemovedPerson): void;
  saveSession(row: ConsoleSession): void;
  removeSessions(tokenHashes: readonly string[]): void;
  /** Removes them and remembers that they were ended. */
  endSessions(ended: readonly EndedSession[]): void;
  addKey(row: Omit<ApiKey, 'id'>): number;
  revokeKey(id: number, at: number): void;
  addAudit(row: NewAuditEntry): void;
  /** Newest first, as far as one call looks. */
  auditEntries(filter: AuditFilter): AuditPage;
};

/** One call looks at no more entries than this: what is looked for may be nowhere. */
const AUDIT_LOOKED_AT = 10_000;

/** The hour in which a key was last used is the last one that it has. */
const LAST_USED = `SELECT id, (SELECT last_used_ms FROM key_usage_1h WHERE api_key_id = id ORDER BY start_s DESC LIMIT 1) AS at
  FROM api_key`;

/** An ended session is remembered for longer than any lasts, by clocks that differ. */
const REMEMBER_ENDED_MS = 8 * 24 * 3_600_000;

export function createAccessTables({ sqlite, orm }: Connection): AccessTables {
  /** In WAL mode, NORMAL may lose the last commits with the power: a revoked key must not come back with it. */
  const durably = <T>(write: () => T): T => {
    sqlite.pragma('synchronous = FULL');
    try {
      return write();
    } finally {
      sqlite.pragma('synchronous = NORMAL');
    }
  };

  const lastUsed = sqlite.prepare<[], { readonly id: number; readonly at: number | null }>(LAST_USED);
  const newestAudit = sqlite.prepare<[], number | null>('SELECT MAX(seq) FROM audit').pluck();
  const oldestAudit = sqlite.prepare<[], number | null>('SELECT MIN(seq) FROM audit').pluck();

  return {
    all() {
      return {
        people: orm.select().from(person).all().map(personOf),
        removedPeople: orm
          .select()
          .from(removedPerson)
          .all()
          .map(({ removedMs, ...row }) => ({ ...row, removedAt: removedMs })),
        sessions: orm.select().from(consoleSession).all().map(sessionOf),
        endedSessions: orm
          .select()
          .from(endedSession)
          .all()
          .map(({ tokenHash, endedMs }) => ({ tokenHash, endedAt: endedMs })),
        keys: orm.select().from(apiKey).all().map(keyOf),
        lastUsed: new Map(lastUsed.all().flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const]))),
      };
    },
    addPerson: (row) =>
      durably(() => orm.insert(person).values(personValues(row)).returning({ id: person.id }).get().id),
    savePerson: (row) =>
      durably(() => void orm.update(person).set(personValues(row)).where(eq(person.id, row.id)).run()),
    removePerson: (id, { nameKey, generation, removedAt }) =>
      durably(() =>
        orm.transaction((within) => {
          const values = { generation, removedMs: removedAt };
          within
            .insert(removedPerson)
            .values({ nameKey, ...values })
            .onConflictDoUpdate({ target: removedPerson.nameKey, set: values })
            .run();
          if (id !== null) within.delete(person).where(eq(person.id, id)).run();
        }),
      ),
    saveSession({ tokenHash, personId, createdAt, lastUsedAt, passwordVersion }) {
      const values = { tokenHash, personId, createdMs: createdAt, lastUsedMs: lastUsedAt, passwordVersion };
      durably(() =>
        orm
          .insert(consoleSession)
          .values(values)
          .onConflictDoUpdate({ target: consoleSession.tokenHash, set: { lastUsedMs: lastUsedAt, passwordVersion } })
          .run(),
      );
    },
    removeSessions: (hashes) =>
      durably(
        () =>
          void orm
            .delete(consoleSession)
            .where(inArray(consoleSession.tokenHash, [...hashes]))
            .run(),
      ),
    endSessions: (ended) =>
      durably(() =>
        orm.transaction((within) => {
          const hashes = ended.map(({ tokenHash }) => tokenHash);
          within.delete(consoleSession).where(inArray(consoleSession.tokenHash, hashes)).run();
          for (const { tokenHash, endedAt } of ended) {
            within.insert(endedSession).values({ tokenHash, endedMs: endedAt }).onConflictDoNothing().run();
          }
          const latest = Math.max(...ended.map(({ endedAt }) => endedAt));
          within
            .delete(endedSession)
            .where(lt(endedSession.endedMs, latest - REMEMBER_ENDED_MS))
            .run();
        }),
      ),
    addKey: (row) => durably(() => orm.insert(apiKey).values(keyValues(row)).returning({ id: apiKey.id }).get().id),
    revokeKey: (id, at) => durably(() => void orm.update(apiKey).set({ revokedMs: at }).where(eq(apiKey.id, id)).run()),
    addAudit: ({ at, ...row }) =>
      durably(
        () =>
          void orm
            .insert(audit)
            .values({ atMs: at, ...row })
            .run(),
      ),
    auditEntries(filter) {
      const newest = filter.beforeSeq ?? (newestAudit.get() ?? 0) + 1;
      const lookedAt = newest - AUDIT_LOOKED_AT;
      const rows = orm
        .select()
        .from(audit)
        .where(and(lt(audit.seq, newest), gte(audit.seq, lookedAt), ...conditions(filter)))
        .orderBy(desc(audit.seq))
        .limit(filter.limit)
        .all();
      const last = rows.length < filter.limit ? lookedAt : (rows.at(-1)?.seq ?? lookedAt);
      const entries = rows.map(({ atMs, ...row }) => ({ at: atMs, ...row }));
      return { entries, next: last > (oldestAudit.get() ?? last) ? last : null };
    },
  };
}

function conditions({ actor, action, text, sinceMs }: AuditFilter): (SQL | undefined)[] {
  const found = text === null ? null : `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const matches = (column: typeof audit.subject | typeof audit.before | typeof audit.after) =>
    sql`${like(column, found ?? '')} ESCAPE '\\'`;
  return [
    actor === null ? undefined : eq(audit.actor, actor),
    action === null ? undefined : eq(audit.action, action),
    sinceMs === null ? undefined : gte(audit.atMs, sinceMs),
    found === null ? undefined : or(matches(audit.subject), matches(audit.before), matches(audit.after)),
  ];
}

const personValues = ({ createdAt, passwordChangedAt, ...row }: NewPerson) => ({
  name: row.name,
  role: row.role,
  passwordHash: row.passwordHash,
  createdMs: createdAt,
  passwordChangedMs: passwordChangedAt,
  generation: row.generation,
  roleVersion: row.roleVersion,
  passwordVersion: row.passwordVersion,
});

const personOf = ({ createdMs, passwordChangedMs, ...row }: typeof person.$inferSelect): Person => ({
  ...row,
  createdAt: createdMs,
  passwordChangedAt: passwordChangedMs,
});

const sessionOf = ({ createdMs, lastUsedMs, ...row }: typeof consoleSession.$inferSelect): ConsoleSession => ({
  ...row,
  createdAt: createdMs,
  lastUsedAt: lastUsedMs,
});

const keyValues = ({ createdAt, expiresAt, revokedAt, models, ...row }: Omit<ApiKey, 'id'>) => ({
  ...row,
  createdMs: createdAt,
  expiresMs: expiresAt,
  revokedMs: revokedAt,
  models: models === null ? null : JSON.stringify(models),
});

const keyOf = ({ createdMs, expiresMs, revokedMs, models, ...row }: typeof apiKey.$inferSelect): ApiKey => ({
  ...row,
  createdAt: createdMs,
  expiresAt: expiresMs,
  revokedAt: revokedMs,
  models: models === null ? null : modelNames(models),
});

/** A list that cannot be read allows nothing, rather than all. */
function modelNames(json: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
