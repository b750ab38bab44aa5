import { KEY_PREFIX, shownPrefix } from '#lib/access/key-format.ts';
import { mergeRecords } from '#lib/access/merge-records.ts';
import { type KeyRecord, keyRecordOf, type SharedRecord } from '#lib/access/shared-record.ts';
import type { ApiKey, NewApiKey } from '#lib/access/types.ts';
import type { Store } from '#server/store/store.ts';
import { newToken, tokenHash } from './tokens.ts';
import type { InTurn } from './turns.ts';

/** What a presented key turned out to be. */
export type FoundKey =
  | { readonly kind: 'valid' | 'expired' | 'revoked'; readonly key: ApiKey }
  | { readonly kind: 'internal' | 'unknown' };

export type KeyWish = Pick<
  NewApiKey,
  'name' | 'createdBy' | 'expiresAt' | 'models' | 'requestsPerMinute' | 'concurrentRequests'
>;

/** The keys for `/v1`. */
export type ApiKeys = {
  /** In the order in which they became known here, the revoked ones too. */
  all(): readonly ApiKey[];
  byId(id: number): ApiKey | null;
  /** One hash and one look into a map. */
  find(presented: string): FoundKey;
  /** `secret` is the key itself, told this once. */
  make(wish: KeyWish): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  revoke(key: ApiKey): Promise<ApiKey>;
  /** True where there is one that was not revoked; an expired one counts, so that no door opens by itself. */
  isAny(): boolean;
  /** What the router's own demo and benchmark present; made anew with each start. */
  readonly internalSecret: string;
  /** Ms since the epoch; null where it was never used. */
  lastUsedAt(id: number): number | null;
  used(id: number, at: number): void;
  /** All of them, as other wardens are told of them. */
  records(): readonly KeyRecord[];
  /** Takes over what another warden knows. In turn with all other changes. */
  take(record: KeyRecord): Promise<void>;
};

export type ApiKeysOptions = {
  readonly store: Pick<Store, 'addApiKey' | 'revokeApiKey'>;
  readonly saved: readonly ApiKey[];
  readonly lastUsed: ReadonlyMap<number, number>;
  readonly now: () => number;
  readonly inTurn: InTurn;
  /** Somebody or something was added, changed or removed. */
  readonly onChange: () => void;
  /** Tells the other wardens of what was changed here; ends when they can know, or cannot be told now. */
  readonly say: (record: SharedRecord) => Promise<void>;
};

export function createApiKeys({ store, saved, lastUsed, now, inTurn, onChange, say }: ApiKeysOptions): ApiKeys {
  const byHash = new Map(saved.map((key) => [key.keyHash, key]));
  const usedAt = new Map(lastUsed);
  const internalSecret = `${KEY_PREFIX}internal_${newToken()}`;
  const internalHash = tokenHash(internalSecret);
  const insert = async (row: Omit<ApiKey, 'id'>): Promise<ApiKey> => {
    const key = { ...row, id: await store.addApiKey(row) };
    byHash.set(key.keyHash, key);
    onChange();
    return key;
  };
  /** First here: a key must not work on because the disk is full. */
  const setRevoked = async (key: ApiKey, revokedAt: number): Promise<ApiKey> => {
    const revoked = { ...key, revokedAt };
    byHash.set(key.keyHash, revoked);
    onChange();
    await store.revokeApiKey(key.id, revokedAt);
    return revoked;
  };

  return {
    internalSecret,
    all: () => [...byHash.values()],
    byId: (id) => [...byHash.values()].find((key) => key.id === id) ?? null,
    find(presented) {
      const hash = tokenHash(presented);
      if (hash === internalHash) return { kind: 'internal' };
      const key = byHash.get(hash);
      if (key === undefined) return { kind: 'unknown' };
      if (key.revokedAt !== null) return { kind: 'revoked', key };
      return { kind: key.expiresAt !== null && key.expiresAt <= now() ? 'expired' : 'valid', key };
    },
    async make(wish) {
      const secret = KEY_PREFIX + newToken();
      const row = {
        ...wish,
        createdAt: now(),
        prefix: shownPrefix(secret),
        keyHash: tokenHash(secret),
        revokedAt: null,
      };
      const key = await inTurn(() => insert(row));
      await say(keyRecordOf(key));
      return { key, secret };
    },
    async revoke(key) {
      // Told even where it cannot be written down here: the others can.
      const revokedAt = now();
      const written = setRevoked(key, revokedAt);
      const [, revoked] = await Promise.all([say(keyRecordOf({ ...key, revokedAt })), written]);
      return revoked;
    },
    isAny: () => [...byHash.values()].some((key) => key.revokedAt === null),
    lastUsedAt: (id) => usedAt.get(id) ?? null,
    used: (id, at) => void usedAt.set(id, at),
    records: () => [...byHash.values()].map(keyRecordOf),
    async take(record) {
      const { kind: _, ...row } = record;
      const key = byHash.get(record.keyHash);
      if (key === undefined) {
        await insert(row);
        return;
      }
      const merged = mergeRecords(keyRecordOf(key), record);
      const revokedAt = merged.kind === 'key' ? merged.revokedAt : null;
      if (revokedAt !== null && revokedAt !== key.revokedAt) await setRevoked(key, revokedAt);
    },
  };
}
