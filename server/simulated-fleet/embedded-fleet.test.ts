import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedFleet } from './embedded-fleet.ts';
import { readJson, testFleet } from './fleet-testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'fleet-worker-'));
const outfile = join(folder, 'fleet-worker.mjs');
const workerUrl = pathToFileURL(outfile);

beforeAll(() => {
  const entry = fileURLToPath(new URL('./fleet-worker.ts', import.meta.url));
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('embedded fleet', () => {
  it('serves from a thread of its own until it is closed', async () => {
    const fleet = await startEmbeddedFleet(workerUrl, { servedModelName: 'threaded', speed: 50 });
    const { data } = await readJson(await fetch(`${fleet.url}/v1/models`));
    expect(data[0].id).toBe('threaded');
    await fleet.close();
    await expect(fetch(`${fleet.url}/health`)).rejects.toThrow();
  });

  it('rejects where the fleet cannot listen', async () => {
    const taken = await testFleet();
    const port = Number(new URL(taken.url).port);
    await expect(startEmbeddedFleet(workerUrl, { port })).rejects.toThrow('EADDRINUSE');
  });
});
