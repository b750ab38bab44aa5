import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';

const server = fileURLToPath(new URL('../dist/server.mjs', import.meta.url));
const project = fileURLToPath(new URL('..', import.meta.url));

/** The built product as a process of its own, on a free port, with its own data folder. */
export type BuiltWarden = {
  readonly url: string;
  /** Everything it has printed so far. */
  output(): string;
  /** Reads a call of the console's API, checked against its contract. */
  get<T>(path: string, contract: z.ZodType<T>): Promise<T>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Ends it and starts it again on the same data folder and port. */
  restart(): Promise<void>;
  dispose(): Promise<void>;
};

/** Starts `dist/server.mjs` with the given `WARDEN_…` variables; with none it runs the embedded simulated fleet. */
export async function startBuiltWarden(env: Readonly<Record<string, string>> = {}): Promise<BuiltWarden> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-e2e-'));
  const launch = (port: string) =>
    run({ WARDEN_DATA_DIR: dataDir, WARDEN_DRAIN_SECONDS: '2', WARDEN_PORT: port, ...env });
  let running = await launch('0');
  return {
    get url() {
      return running.url;
    },
    output: () => running.output(),
    get: async (path, contract) => contract.parse(await (await fetch(running.url + path)).json()),
    stop: (signal = 'SIGTERM') => end(running.child, signal),
    async restart() {
      await end(running.child, 'SIGTERM');
      running = await launch(new URL(running.url).port);
    },
    async dispose() {
      await end(running.child, 'SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

type Running = { readonly child: ChildProcess; readonly url: string; output(): string };

function run(env: Readonly<Record<string, string>>): Promise<Running> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [server], {
    cwd: project,
    env: { PATH, HOME, NODE_ENV: 'production', ...env },
  });
  let text = '';
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      text += chunk.toString();
      const url = /console and router on (http:\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve({ child, url, output: () => text });
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code} before it listened:\n${text}`)));
  });
}

/** Resolves with the exit code; null where the process was already gone or was killed. */
function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}
