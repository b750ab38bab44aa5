import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { memoryDatabase, temporaryDatabase } from './fixtures-for-tests.ts';
import type { HomeRow, RouterMemory } from './store.ts';

const MEMORY: RouterMemory = {
  since: 1_800_000_000_123,
  unrouted: 4,
  tallies: [
    { placed: 1, sticky: 20, spilledIn: 3, failedOverIn: 0, clientPinned: 5, balanced: 6 },
    { placed: 2, sticky: 30, spilledIn: 0, failedOverIn: 7, clientPinned: 0, balanced: 0 },
  ],
  engines: [
    { url: 'http://b:8000', processStartTime: 1_799_999_999.25, tokensTotal: 12_345_678_901, ranks: 4 },
    { url: 'http://a:8000', processStartTime: null, tokensTotal: null, ranks: 1 },
  ],
  homes: [home('older', { lastUsedAt: 1000, small: true }), home('newer', { lastUsedAt: 2000, turns: 9 })],
};

describe('what the router remembers', () => {
  it('comes back as it was given, homes in the order of their last use', () => {
    const { database } = temporaryDatabase();
    remember(database, 'org/qwen', { ...MEMORY, homes: MEMORY.homes.toReversed() });
    expect(database.routerMemory('org/qwen')).toEqual(MEMORY);
  });

  it('is nothing for a model that was never remembered', () => {
    const { database } = temporaryDatabase();
    remember(database, 'qwen', MEMORY);
    expect(database.routerMemory('llama')).toBeNull();
  });

  it('is of one model each', () => {
    const { database } = temporaryDatabase();
    const other = { ...MEMORY, homes: [home('older', { replica: 3 })], tallies: [], engines: [] };
    remember(database, 'qwen', MEMORY);
    remember(database, 'llama', other);
    expect(database.routerMemory('qwen')).toEqual(MEMORY);
    expect(database.routerMemory('llama')).toEqual(other);
  });

  it('is replaced as a whole', () => {
    const keys = fc.uniqueArray(fc.integer({ min: 0, max: 12 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.integer({ min: 0, max: 3 })), { minLength: 1 }), (memories) => {
        const database = memoryDatabase();
        let last: RouterMemory = MEMORY;
        for (const [present, replica] of memories) {
          const homes = present.toSorted((a, b) => a - b).map((key) => home(`${key}`, { replica, lastUsedAt: key }));
          last = { ...MEMORY, homes };
          remember(database, 'qwen', last);
        }
        expect(database.routerMemory('qwen')).toEqual(last);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps the homes that a partial one does not name', () => {
    const { database } = temporaryDatabase();
    remember(database, 'qwen', MEMORY);
    const moved = home('older', { lastUsedAt: 3000, replica: 3 });
    remember(database, 'qwen', { ...MEMORY, unrouted: 9, isPartial: true, homes: [moved] });
    expect(database.routerMemory('qwen')).toEqual({ ...MEMORY, unrouted: 9, homes: [MEMORY.homes[1], moved] });
  });

  it('writes only the homes that changed', () => {
    const { database, connection } = temporaryDatabase();
    const homes = Array.from({ length: 500 }, (_, index) => home(`key-${index}`, { lastUsedAt: index }));
    remember(database, 'qwen', { ...MEMORY, homes });
    const written = connection.sqlite.prepare<[], number>('SELECT total_changes()').pluck();
    const before = written.get() ?? 0;
    remember(database, 'qwen', { ...MEMORY, homes: homes.with(7, home('key-7', { lastUsedAt: 9000 })) });
    expect((written.get() ?? 0) - before).toBeLessThan(20);
  });
});

let batches = 0;

function remember(database: Database, model: string, memory: RouterMemory): void {
  batches += 1;
  const memories = new Map([[model, memory]]);
  const result = database.writeBatch({ id: `memory-${batches}`, requests: [], samples: [], events: [], memories });
  expect(result).toEqual({ refused: 0, reason: null });
}

function home(keyHash: string, given: Partial<HomeRow> = {}): HomeRow {
  return { keyHash, source: 'session_id', replica: 1, lastUsedAt: 1000, turns: 2, small: false, ...given };
}
