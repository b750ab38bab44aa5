import { KEY_PREFIX, shownPrefix } from '#lib/access/key-format.ts';
import type { ApiKey, NewApiKey } from '#lib/access/types.ts';
import type { Store } from '#server/store/store.ts';
import { newToken, tokenHash } from './tokens.ts';

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
  /** In the order in which they were made, the revoked ones too. */
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
};

export type ApiKeysOptions = {
  readonly store: Pick<Store, 'addApiKey' | 'revokeApiKey'>;
  readonly saved: readonly ApiKey[];
  readonly lastUsed: ReadonlyMap<number, number>;
  readonly now: () => number;
  /** Somebody or something was added, changed or removed. */
  readonly onChange: () => void;
};

export function createApiKeys({ store, saved, lastUsed, now, onChange }: ApiKeysOptions): ApiKeys {
  const byHash = new Map(saved.map((key) => [key.keyHash, key]));
  const usedAt = new Map(lastUsed);
  const internalSecret = `${KEY_PREFIX}internal_${newToken()}`;
  const internalHash = tokenHash(internalSecret);

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
      const row: NewApiKey = { ...wish, createdAt: now(), prefix: shownPrefix(secret), keyHash: tokenHash(secret) };
      const key = { ...row, id: await store.addApiKey(row), revokedAt: null };
      byHash.set(key.keyHash, key);
      onChange();
      return { key, secret };
    },
    async revoke(key) {
      const revoked = { ...key, revokedAt: now() };
      // First here: a key must not work on because the disk is full.
      byHash.set(key.keyHash, revoked);
      await store.revokeApiKey(key.id, revoked.revokedAt);
      onChange();
      return revoked;
    },
    isAny: () => [...byHash.values()].some((key) => key.revokedAt === null),
    lastUsedAt: (id) => usedAt.get(id) ?? null,
    used: (id, at) => void usedAt.set(id, at),
  };
}
