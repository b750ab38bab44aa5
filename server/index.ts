import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { tellCrashes } from './crash.ts';
import { createPages } from './pages.ts';
import { readSettings, StartError } from './settings.ts';
import { startWarden, type Warden } from './start.ts';
import { StoreError } from './store/store-error.ts';

/** The bundle lies in `dist/`, one level below the project. */
const root = new URL('../', import.meta.url);
const dev = process.env.NODE_ENV === 'development';
const log = pino({ level: process.env.WARDEN_LOG_LEVEL ?? 'info' });

/** For saving and closing everything after the last request has ended. */
const CLOSING_MS = 10_000;

async function main(): Promise<void> {
  // Who works on it wants the message.
  if (!dev) tellCrashes(log);
  const settings = readSettings(process.env);
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  const warden = await startWarden({
    settings,
    env: process.env,
    version,
    storeWorkerUrl: new URL('dist/store-worker.mjs', root),
    fleetWorkerUrl: new URL('dist/fleet-worker.mjs', root),
    migrationsDir: fileURLToPath(new URL('drizzle/migrations', root)),
    createPages: (server) => createPages(fileURLToPath(root), dev, server, log),
    log,
  });
  endOnSignals(warden, settings.drainSeconds);
  const models = settings.source.kind === 'demo' ? 'embedded simulated fleet' : `models from ${settings.source.kind}`;
  console.log(`\n  LM Warden ${version}: console and router on ${warden.url} (${models})\n`);
}

/** The first signal drains, the second ends at once. */
function endOnSignals(warden: Warden, drainSeconds: number): void {
  let ending = false;
  const end = (signal: NodeJS.Signals): void => {
    if (ending) process.exit(1);
    ending = true;
    log.info({ signal, drainSeconds }, 'shutting down: no new requests, those in flight may end');
    // A part that does not close must not keep a supervisor waiting.
    setTimeout(
      () => {
        log.error('shutdown took too long and was broken off');
        process.exit(1);
      },
      drainSeconds * 1000 + CLOSING_MS,
    ).unref();
    warden.close(drainSeconds).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  // Without a listener it would end the process. Where there is a file, it is read again; elsewhere nothing is to be.
  process.on('SIGHUP', () => log.info('SIGHUP: the configuration is read again, if it is a file'));
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

main().catch((error: unknown) => {
  if (error instanceof StartError || error instanceof StoreError)
    console.error(`LM Warden cannot start: ${error.message}`);
  else console.error(error);
  process.exit(1);
});
