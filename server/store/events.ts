import { and, desc, eq, gte, lt, type SQL } from 'drizzle-orm';
import { event, model as modelTable } from '#drizzle/schema.ts';
import { cut } from './clean-row.ts';
import type { ModelIds } from './models.ts';
import type { Connection } from './open.ts';
import type { EventRow } from './store.ts';

/** More than a chart could show, and fewer than would hold up a read. */
const MOST = 1000;

export type Events = {
  insert(row: EventRow): void;
  /** Newest first. `model` null: all, also those of no model. */
  newest(model: string | null, limit: number): readonly EventRow[];
  /** Newest first; ms since the epoch, `from` included, `to` not. */
  between(model: string | null, from: number, to: number): readonly EventRow[];
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
    newest: (model, limit) => read(ofModel(model), limit),
    between: (model, from, to) => read(and(ofModel(model), gte(event.atMs, from), lt(event.atMs, to)), MOST),
  };

  function read(condition: SQL | undefined, limit: number): EventRow[] {
    return orm
      .select({ at: event.atMs, model: modelTable.name, kind: event.kind, detail: event.detail })
      .from(event)
      .leftJoin(modelTable, eq(modelTable.id, event.modelId))
      .where(condition)
      .orderBy(desc(event.atMs), desc(event.seq))
      .limit(limit)
      .all();
  }
}

function ofModel(model: string | null): SQL | undefined {
  return model === null ? undefined : eq(modelTable.name, model);
}
