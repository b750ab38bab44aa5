import { eq } from 'drizzle-orm';
import { retentionSetting } from '#drizzle/schema.ts';
import type { Connection } from './open.ts';
import type { Retention } from './retention.ts';

/** A person's changes: null gives a time back to the default. */
export type RetentionChanges = { readonly [Name in keyof Retention]?: number | null };

/** `current` is what is in force: `defaults`, and over them what a person chose in the console. */
export type RetentionState = {
  readonly current: Retention;
  readonly chosen: Partial<Retention>;
  readonly defaults: Retention;
};

export type RetentionSettings = {
  state(): RetentionState;
  /** On the disk when it returns, and in force for the next upkeep. */
  save(changes: RetentionChanges): void;
};

export function createRetentionSettings({ sqlite, orm }: Connection, defaults: Retention): RetentionSettings {
  const read = (): Partial<Retention> => {
    const rows = orm.select().from(retentionSetting).all();
    return Object.fromEntries(rows.filter(({ name }) => name in defaults).map(({ name, value }) => [name, value]));
  };
  let chosen = read();
  return {
    state: () => ({ current: { ...defaults, ...chosen }, chosen, defaults }),
    save(changes) {
      // As with the other settings: not lost with the power.
      sqlite.pragma('synchronous = FULL');
      try {
        orm.transaction(() => {
          for (const [name, value] of Object.entries(changes)) {
            orm.delete(retentionSetting).where(eq(retentionSetting.name, name)).run();
            if (value !== null && value !== undefined) orm.insert(retentionSetting).values({ name, value }).run();
          }
        });
        chosen = read();
      } finally {
        sqlite.pragma('synchronous = NORMAL');
      }
    },
  };
}
