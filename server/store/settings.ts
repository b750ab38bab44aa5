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
          cacheFit: setting.cacheFit,
          yieldAfterMs: setting.yieldAfterMs,
          yieldAuto: setting.yieldAuto,
        })
        .from(setting)
        .innerJoin(modelTable, eq(modelTable.id, setting.modelId))
        .all();
      return new Map(
        rows.map(({ name, affinity, spillThreshold, spillAuto, cacheFit, yieldAfterMs, yieldAuto }) => [
          name,
          {
            affinity,
            spillThreshold: spillAuto ? 'auto' : spillThreshold,
            cacheFit,
            yieldAfterMs: yieldAuto ? 'auto' : yieldAfterMs,
          },
        ]),
      );
    },
    save(model, { affinity, spillThreshold, cacheFit, yieldAfterMs }) {
      const values = {
        affinity,
        spillAuto: spillThreshold === 'auto',
        spillThreshold: spillThreshold === 'auto' ? null : spillThreshold,
        cacheFit,
        yieldAuto: yieldAfterMs === 'auto',
        yieldAfterMs: yieldAfterMs === 'auto' ? null : yieldAfterMs,
      };
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
