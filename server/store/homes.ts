import type { Connection } from './open.ts';
import type { HomeRow } from './store.ts';

export type Homes = {
  /** Writes what differs from what is there, and deletes what is absent. To be called in a transaction. */
  replace(modelId: number, homes: readonly HomeRow[]): void;
  /** Writes these and leaves all others as they are. To be called in a transaction. */
  update(modelId: number, homes: readonly HomeRow[]): void;
  /** Oldest use first. */
  read(modelId: number): readonly HomeRow[];
};

type Stored = Omit<HomeRow, 'small'> & { readonly small: number };

const UPSERT = `
  INSERT INTO home (model_id, key_hash, source, replica, last_used_ms, turns, small)
  VALUES (@modelId, @keyHash, @source, @replica, @lastUsedAt, @turns, @small)
  ON CONFLICT (model_id, key_hash) DO UPDATE SET source = excluded.source, replica = excluded.replica,
    last_used_ms = excluded.last_used_ms, turns = excluded.turns, small = excluded.small`;

const READ = `
  SELECT key_hash AS keyHash, source, replica, last_used_ms AS lastUsedAt, turns, small FROM home
  WHERE model_id = ? ORDER BY last_used_ms, key_hash`;

/** Of thousands of homes few change from one batch to the next: reading them all is cheaper than writing them all. */
export function createHomes({ sqlite }: Connection): Homes {
  const upsert = sqlite.prepare<Stored & { readonly modelId: number }>(UPSERT);
  const remove = sqlite.prepare<[number, string]>('DELETE FROM home WHERE model_id = ? AND key_hash = ?');
  const all = sqlite.prepare<[number], Stored>(READ);

  return {
    replace(modelId, homes) {
      const absent = new Map(all.all(modelId).map((row) => [row.keyHash, row]));
      for (const home of homes) {
        const row = stored(home);
        const before = absent.get(row.keyHash);
        if (before === undefined || !isSame(before, row)) upsert.run({ modelId, ...row });
        absent.delete(row.keyHash);
      }
      for (const keyHash of absent.keys()) remove.run(modelId, keyHash);
    },
    update(modelId, homes) {
      for (const home of homes) upsert.run({ modelId, ...stored(home) });
    },
    read: (modelId) => all.all(modelId).map((row) => ({ ...row, small: row.small === 1 })),
  };
}

function stored(home: HomeRow): Stored {
  return { ...home, lastUsedAt: Math.round(home.lastUsedAt), small: home.small ? 1 : 0 };
}

function isSame(a: Stored, b: Stored): boolean {
  return (
    a.lastUsedAt === b.lastUsedAt &&
    a.turns === b.turns &&
    a.replica === b.replica &&
    a.small === b.small &&
    a.source === b.source
  );
}
