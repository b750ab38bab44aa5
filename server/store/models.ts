import { model } from '#drizzle/schema.ts';
import type { Connection } from './open.ts';

/** Model names to the numbers that the tables use. */
export type ModelIds = {
  /** Gives a new name a number. */
  idOf(name: string): number;
  /** To be called when a transaction was rolled back: it may have taken a new number with it. */
  forget(): void;
};

export function createModelIds({ sqlite, orm }: Connection): ModelIds {
  const known = new Map<string, number>();
  const find = sqlite.prepare<[string], number>('SELECT id FROM model WHERE name = ?').pluck();

  return {
    idOf(name) {
      const id = known.get(name) ?? find.get(name) ?? orm.insert(model).values({ name }).returning().get().id;
      known.set(name, id);
      return id;
    },
    forget: () => known.clear(),
  };
}
