import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { requestRow, temporaryFolder, temporaryStore, workerWith } from './fixtures-for-tests.ts';

it('reads a database that it may not write, says so, and goes on writing when that is mended', async () => {
  const dataDir = temporaryFolder();
  const before = await temporaryStore({ dataDir });
  await before.saveSetting('qwen', { affinity: false, spillThreshold: 4, cacheFit: null, yieldAfterMs: null });
  await before.close();

  const readOnly = join(temporaryFolder(), 'read-only');
  writeFileSync(readOnly, '');
  const store = await temporaryStore({ dataDir, workerUrl: await workerThatObeys(readOnly) });
  expect((await store.settings()).get('qwen')).toEqual({
    affinity: false,
    spillThreshold: 4,
    cacheFit: null,
    yieldAfterMs: null,
  });
  store.recordRequest(requestRow());
  await store.flush();
  expect(store.warning()).toMatch(/not being saved to .*warden\.db: it is read-only\. .* Make the file .* writable/);
  await expect(
    store.saveSetting('qwen', { affinity: true, spillThreshold: null, cacheFit: null, yieldAfterMs: null }),
  ).rejects.toMatchObject({
    code: 'not_saved',
  });

  rmSync(readOnly);
  await store.flush();
  expect(store.warning()).toBeNull();
  expect(await store.requests(null, 10)).toHaveLength(1);
});

/**
 * Connections opened while the file `marker` is there cannot write, as with a file that the user may not write; the
 * permissions of a real file mean nothing where the tests run as root.
 */
function workerThatObeys(marker: string): Promise<URL> {
  const sqlite = pathToFileURL(createRequire(import.meta.url).resolve('better-sqlite3')).href;
  return workerWith(`
    const { default: Sqlite } = await import(${JSON.stringify(sqlite)});
    const { pragma } = Sqlite.prototype;
    Sqlite.prototype.pragma = function (text, ...options) {
      const result = pragma.call(this, text, ...options);
      if (text.startsWith('temp_store') && existsSync(${JSON.stringify(marker)})) pragma.call(this, 'query_only = 1');
      return result;
    };`);
}
