import { fileURLToPath, pathToFileURL } from 'node:url';
import pino from 'pino';
import { readSettings } from '#server/settings.ts';
import { startWarden } from '#server/start.ts';

/*
 * A warden without pages as a process of its own, to be killed: a data folder with a `warden.yaml`, the bundle of the
 * database thread and the migrations are its arguments. It prints where it listens.
 */
const [dataDir = '', storeWorker = '', migrationsDir = ''] = process.argv.slice(2);
const settings = { WARDEN_PORT: '0', WARDEN_DATA_DIR: dataDir, WARDEN_CONFIG: `${dataDir}/warden.yaml` };
const warden = await startWarden({
  settings: readSettings(settings),
  env: {},
  version: '0.0.0-killed',
  storeWorkerUrl: new URL(storeWorker),
  fleetWorkerUrl: pathToFileURL(fileURLToPath(storeWorker)),
  migrationsDir,
  createPages: async () => ({
    handle: async (_req, res) => void res.writeHead(404).end(),
    ownsUpgrade: () => false,
    close: async () => {},
  }),
  log: pino({ level: 'silent' }),
});
console.log(warden.url);
