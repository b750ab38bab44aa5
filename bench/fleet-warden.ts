import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pino from 'pino';
import { stringify } from 'yaml';
import { NO_ACCESS_SETTINGS } from '#server/access/access-settings.ts';
import { startWarden, type Warden } from '#server/start.ts';

export const FLEET_MODEL = 'qwen3-4b-dp4';

/** The server as it is built, without pages; `npm run bench:fleet` builds its database thread. */
export function startFleetWarden(engine: string, shared: string | null): Promise<Warden> {
  const dataDir = mkdtempSync(join(tmpdir(), 'warden-bench-'));
  const path = join(dataDir, 'warden.yaml');
  writeFileSync(path, stringify({ models: [{ name: FLEET_MODEL, max_num_seqs: 32, replicas: [{ url: engine }] }] }));
  return startWarden({
    settings: {
      host: '127.0.0.1',
      port: 0,
      dataDir,
      drainSeconds: 0,
      source: { kind: 'file', path },
      shared,
      advertiseUrl: null,
      memberUrl: null,
      alertWebhook: null,
      access: NO_ACCESS_SETTINGS,
    },
    env: {},
    version: '0',
    storeWorkerUrl: pathToFileURL(join(process.cwd(), 'dist/store-worker.mjs')),
    fleetWorkerUrl: new URL('file:///not-used'),
    migrationsDir: join(process.cwd(), 'drizzle/migrations'),
    createPages: async () => ({ handle: async () => {}, ownsUpgrade: () => false, close: async () => {} }),
    log: pino({ level: 'silent' }),
  });
}
