import { desc, eq } from 'drizzle-orm';
import { event, model as modelTable } from '#drizzle/schema.ts';
import { cut } from './clean-row.ts';
import type { ModelIds } from './models.ts';
import type { Connection } from './open.ts';
import type { EventRow } from './store.ts';

export type Events = {
  insert(row: EventRow): void;
  /** Newest first. `model` null: all, also those of no model. */
  newest(model: string | null, limit: number): readonly EventRow[];
};

export function createEvents({ orm }: Connection, models: ModelIds): Events {
  return {
    insert({ at, model, kind, detail }) {
      const modelId = model === null ? null : models.idOf(model);
      orm
        .insert(event)
        .values({ atMs: Math.round(at), modelId, kind: cut(kind), detail: cut(detail) })
        .run();
    },
    newest(model, limit) {
      return orm
        .select({ at: event.atMs, model: modelTable.name, kind: event.kind, detail: event.detail })
        .from(event)
        .leftJoin(modelTable, eq(modelTable.id, event.modelId))
        .where(model === null ? undefined : eq(modelTable.name, model))
        .orderBy(desc(event.atMs), desc(event.seq))
        .limit(limit)
        .all();
    },
  };
}
