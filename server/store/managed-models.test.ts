import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS_DIR, temporaryDatabase, temporaryFolder, temporaryStore } from './fixtures-for-tests.ts';
import { openConnection } from './open.ts';

const ROW = { name: 'qwen', config: '{"aliases":[]}', apiKey: 'secret', createdAt: 1000, updatedAt: 1000 };

describe('models that were added in the console', () => {
  it('come back as they were saved, and keep when they were added when they are changed', async () => {
    const store = await temporaryStore();
    await store.saveManagedModel(ROW);
    await store.saveManagedModel({ ...ROW, name: 'llama', apiKey: null });
    await store.saveManagedModel({ ...ROW, config: '{}', createdAt: 2000, updatedAt: 2000 });
    expect(await store.managedModels()).toEqual([
      { ...ROW, config: '{}', updatedAt: 2000 },
      { ...ROW, name: 'llama', apiKey: null },
    ]);
    await store.deleteManagedModel('qwen');
    expect((await store.managedModels()).map(({ name }) => name)).toEqual(['llama']);
  });

  it('are remembered as removed until they are there again', () => {
    const { database } = temporaryDatabase();
    database.setModelRemoved('demo', 1000);
    database.setModelRemoved('demo', 2000);
    expect(database.removedModels()).toEqual(['demo']);
    database.setModelRemoved('demo', null);
    expect(database.removedModels()).toEqual([]);
  });
});

describe('the database file', () => {
  it('is readable by its owner alone, with what lies beside it', () => {
    const { file, database } = temporaryDatabase();
    database.saveManagedModel(ROW);
    for (const path of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('is made so where an older version left it open to others', () => {
    const file = join(temporaryFolder(), 'warden.db');
    openConnection(file, MIGRATIONS_DIR).sqlite.close();
    chmodSync(file, 0o644);
    openConnection(file, MIGRATIONS_DIR).sqlite.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
