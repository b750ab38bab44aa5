import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { bad, type Finding, ok, reasonOf, warn } from './finding.ts';

const OLDEST_NODE = [20, 19] as const;
const GIBIBYTE = 1024 ** 3;

export type Host = { readonly host: string; readonly port: number; readonly dataDir: string };

/** What LM Warden needs of the machine it runs on. */
export async function checkHost(settings: Host, nodeVersion = process.versions.node): Promise<readonly Finding[]> {
  return [
    checkNode(nodeVersion),
    await checkNativeModule(),
    await checkPort(settings),
    checkDataDir(settings.dataDir),
    await checkDisk(settings.dataDir),
  ];
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (!isOld) return ok('node', `Node ${version}.`);
  return bad('node', `Node ${version} is too old.`, 'Install Node 20.19 or later (22 and 24 work too).');
}

/** It is compiled for one version of Node and one machine. */
async function checkNativeModule(): Promise<Finding> {
  try {
    const { default: Sqlite } = await import('better-sqlite3');
    const database = new Sqlite(':memory:');
    const version = database.prepare<[], string>('SELECT sqlite_version()').pluck().get();
    database.close();
    return ok('sqlite', `SQLite ${version} works.`);
  } catch (error) {
    const fix = 'Run `npm rebuild better-sqlite3` with the Node that runs LM Warden; it may need a C++ compiler.';
    return bad('sqlite', `The native module of SQLite does not load: ${reasonOf(error)}`, fix);
  }
}

/** Taken by a running LM Warden is fine; by anything else it is not. */
async function checkPort({ host, port }: Host): Promise<Finding> {
  const failure = await listenOnce(host, port);
  const where = `${host}:${port}`;
  if (failure === null) return ok('port', `${where} is free.`);
  if (failure === 'EADDRINUSE' && (await isWarden(host, port))) return ok('port', `LM Warden runs on ${where}.`);
  if (failure === 'EADDRINUSE') {
    return bad('port', `${where} is taken by another program.`, 'Set WARDEN_PORT, or end the other program.');
  }
  if (failure === 'EACCES') {
    return bad('port', `${where} may not be listened on.`, 'Take a port above 1023, or grant CAP_NET_BIND_SERVICE.');
  }
  return bad('port', `${where} cannot be listened on: ${failure}.`, 'Set WARDEN_HOST to an address of this machine.');
}

function listenOnce(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

async function isWarden(host: string, port: number): Promise<boolean> {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  try {
    const answer = await fetch(`http://${address.includes(':') ? `[${address}]` : address}:${port}/healthz`, {
      signal: AbortSignal.timeout(3000),
    });
    return answer.ok && (await answer.text()).includes('"status":"ok"');
  } catch {
    return false;
  }
}

/** Looks without making anything: a folder that is not there yet will be made where its parent can be written. */
function checkDataDir(dataDir: string): Finding {
  try {
    if (existsSync(dataDir)) {
      const probe = join(dataDir, `.doctor-${process.pid}`);
      writeFileSync(probe, '');
      rmSync(probe);
      return ok('data', `${dataDir} can be written.`);
    }
    accessSync(existingPartOf(dataDir), constants.W_OK);
    return ok('data', `${dataDir} is not there yet and will be made.`);
  } catch (error) {
    const fix = 'Make it writable for the user that runs LM Warden, or set WARDEN_DATA_DIR.';
    return bad('data', `${dataDir} cannot be written: ${reasonOf(error)}`, fix);
  }
}

function existingPartOf(path: string): string {
  return existsSync(path) ? path : existingPartOf(dirname(path));
}

async function checkDisk(dataDir: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(existingPartOf(dataDir));
    const free = bavail * bsize;
    const found = `The disk of ${dataDir} has ${(free / GIBIBYTE).toFixed(1)} GiB left.`;
    if (free >= GIBIBYTE) return ok('disk', found);
    return warn('disk', found, 'Free some space: a million requests take about 0.7 GiB.');
  } catch (error) {
    return warn('disk', `How full the disk is cannot be told: ${reasonOf(error)}`, 'Look at it with df.');
  }
}
