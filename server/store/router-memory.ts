import { asc, eq } from 'drizzle-orm';
import { engineMark, model as modelTable, router, tally } from '#drizzle/schema.ts';
import { createHomes } from './homes.ts';
import type { ModelIds } from './models.ts';
import type { Connection } from './open.ts';
import type { RouterMemory } from './store.ts';

export type RouterMemories = {
  /** Replaces what is remembered of a model, of its homes those that are given where it is partial. In a transaction. */
  replace(model: string, memory: RouterMemory): void;
  read(model: string): RouterMemory | null;
};

export function createRouterMemories(connection: Connection, models: ModelIds): RouterMemories {
  const { orm } = connection;
  const homes = createHomes(connection);

  return {
    replace(model, memory) {
      const modelId = models.idOf(model);
      const counting = { sinceMs: Math.round(memory.since), unrouted: memory.unrouted };
      orm
        .insert(router)
        .values({ modelId, ...counting })
        .onConflictDoUpdate({ target: router.modelId, set: counting })
        .run();
      if (memory.isPartial === true) homes.update(modelId, memory.homes);
      else homes.replace(modelId, memory.homes);
      orm.delete(tally).where(eq(tally.modelId, modelId)).run();
      const tallies = memory.tallies.map((counters, replica) => ({ modelId, replica, ...counters }));
      if (tallies.length > 0) orm.insert(tally).values(tallies).run();
      orm.delete(engineMark).where(eq(engineMark.modelId, modelId)).run();
      const marks = memory.engines.map(({ url, processStartTime, tokensTotal, ranks }, position) => {
        return { modelId, position, url, processStartS: processStartTime, tokensTotal, ranks };
      });
      if (marks.length > 0) orm.insert(engineMark).values(marks).run();
    },
    read(model) {
      const known = orm
        .select({ modelId: router.modelId, since: router.sinceMs, unrouted: router.unrouted })
        .from(router)
        .innerJoin(modelTable, eq(modelTable.id, router.modelId))
        .where(eq(modelTable.name, model))
        .get();
      if (!known) return null;
      const { modelId, since, unrouted } = known;
      const ofModel = eq(tally.modelId, modelId);
      const tallies = orm.select(COUNTERS).from(tally).where(ofModel).orderBy(asc(tally.replica)).all();
      const marksOfModel = eq(engineMark.modelId, modelId);
      const engines = orm.select(MARK).from(engineMark).where(marksOfModel).orderBy(asc(engineMark.position)).all();
      return { homes: homes.read(modelId), since, tallies, unrouted, engines };
    },
  };
}

const COUNTERS = {
  placed: tally.placed,
  sticky: tally.sticky,
  spilledIn: tally.spilledIn,
  failedOverIn: tally.failedOverIn,
  clientPinned: tally.clientPinned,
  balanced: tally.balanced,
};

const MARK = {
  url: engineMark.url,
  processStartTime: engineMark.processStartS,
  tokensTotal: engineMark.tokensTotal,
  ranks: engineMark.ranks,
};
