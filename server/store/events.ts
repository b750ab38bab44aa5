import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { event, model as modelTable } from '#drizzle/schema.ts';
import { cut } from './clean-row.ts';
import type { ModelIds } from './models.ts';
import type { Connection } from './open.ts';
import type { EventFacts, EventRow } from './store.ts';

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
    insert({ at, model, kind, detail, facts }) {
      const modelId = model === null ? null : models.idOf(model);
      orm
        .insert(event)
        .values({
          atMs: Math.round(at),
          modelId,
          kind: cut(kind),
          detail: cut(detail),
          facts: facts ? JSON.stringify(facts) : null,
        })
        .run();
    },
    newest: (model, limit) => read(ofModel(model), limit),
    between: (model, from, to) => read(and(ofModel(model), gte(event.atMs, from), lt(event.atMs, to)), MOST),
  };

  function read(condition: SQL | undefined, limit: number): EventRow[] {
    return orm
      .select({ at: event.atMs, model: modelTable.name, kind: event.kind, detail: event.detail, facts: event.facts })
      .from(event)
      .leftJoin(modelTable, eq(modelTable.id, event.modelId))
      .where(condition)
      .orderBy(desc(event.atMs), desc(event.seq))
      .limit(limit)
      .all()
      .map((row) => ({ ...row, facts: readFacts(row.facts) }));
  }
}

function ofModel(model: string | null): SQL | undefined {
  // By its number: by its name, SQLite would go through the events of all models.
  return model === null ? undefined : eq(event.modelId, sql`(SELECT id FROM model WHERE name = ${model})`);
}

const eventFacts = z.record(z.string(), z.union([z.string(), z.number()]));

/** Null also for what cannot be read: the sentence says the same. */
function readFacts(text: string | null): EventFacts | null {
  if (text === null) return null;
  try {
    return eventFacts.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
