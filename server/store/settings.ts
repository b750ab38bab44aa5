import { eq } from 'drizzle-orm';
import { model as modelTable, setting } from '#drizzle/schema.ts';
import type { ModelIds } from './models.ts';
import type { Connection } from './open.ts';
import type { ModelSetting } from './store.ts';

export type Settings = {
  all(): ReadonlyMap<string, ModelSetting>;
  /** On the disk when it returns. */
  save(model: string, setting: ModelSetting): void;
};

export function createSettings({ sqlite, orm }: Connection, models: ModelIds): Settings {
  return {
    all() {
      const rows = orm
        .select({
          name: modelTable.name,
          affinity: setting.affinity,
          spillThreshold: setting.spillThreshold,
          spillAuto: setting.spillAuto,
        })
        .from(setting)
        .innerJoin(modelTable, eq(modelTable.id, setting.modelId))
        .all();
      return new Map(
        rows.map(({ name, affinity, spillThreshold, spillAuto }) => [
          name,
          { affinity, spillThreshold: spillAuto ? 'auto' : spillThreshold },
        ]),
      );
    },
    save(model, { affinity, spillThreshold }) {
      const spillAuto = spillThreshold === 'auto';
      const values = { affinity, spillAuto, spillThreshold: spillThreshold === 'auto' ? null : spillThreshold };
      // In WAL mode, NORMAL may lose the last commits with the power; what a person set must not be among them.
      sqlite.pragma('synchronous = FULL');
      try {
        orm.transaction(() => {
          orm
            .insert(setting)
            .values({ modelId: models.idOf(model), ...values })
            .onConflictDoUpdate({ target: setting.modelId, set: values })
            .run();
        });
      } catch (error) {
        models.forget();
        throw error;
      } finally {
        sqlite.pragma('synchronous = NORMAL');
      }
    },
  };
}
