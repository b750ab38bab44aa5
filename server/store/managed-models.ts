import { eq } from 'drizzle-orm';
import { managedModel, removedModel } from '#drizzle/schema.ts';
import type { Connection } from './open.ts';
import type { ManagedModelRow } from './store.ts';

export type ManagedModelRows = {
  /** In the order in which they were added. */
  all(): readonly ManagedModelRow[];
  /** On the disk when it returns, as are the others; what people enter must not go with the power. */
  save(row: ManagedModelRow): void;
  remove(name: string): void;
  removedNames(): readonly string[];
  /** `at` null: it is there again. */
  setRemoved(name: string, at: number | null): void;
};

export function createManagedModels({ sqlite, orm }: Connection): ManagedModelRows {
  const durably = (write: () => void): void => {
    // In WAL mode, NORMAL may lose the last commits with the power.
    sqlite.pragma('synchronous = FULL');
    try {
      orm.transaction(write);
    } finally {
      sqlite.pragma('synchronous = NORMAL');
    }
  };
  return {
    all: () =>
      orm
        .select({
          name: managedModel.name,
          config: managedModel.config,
          apiKey: managedModel.apiKey,
          createdAt: managedModel.createdMs,
          updatedAt: managedModel.updatedMs,
        })
        .from(managedModel)
        .orderBy(managedModel.id)
        .all(),
    save({ name, config, apiKey, createdAt, updatedAt }) {
      const changed = { config, apiKey, updatedMs: updatedAt };
      durably(() => {
        orm
          .insert(managedModel)
          .values({ name, createdMs: createdAt, ...changed })
          .onConflictDoUpdate({ target: managedModel.name, set: changed })
          .run();
      });
    },
    remove: (name) => durably(() => orm.delete(managedModel).where(eq(managedModel.name, name)).run()),
    removedNames: () =>
      orm
        .select({ name: removedModel.name })
        .from(removedModel)
        .all()
        .map(({ name }) => name),
    setRemoved(name, at) {
      durably(() => {
        orm.delete(removedModel).where(eq(removedModel.name, name)).run();
        if (at !== null) orm.insert(removedModel).values({ name, removedMs: at }).run();
      });
    },
  };
}
