import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';

const server = fileURLToPath(new URL('../dist/server.mjs', import.meta.url));

/** Longer than any drain that a test asks for. A process that is still there then hangs. */
const END_WITHIN_MS = 15_000;
/** A start takes two seconds of a core; others may have it. */
const START_WITHIN_MS = 45_000;

type Environment = Readonly<Record<string, string>>;

/** The built product as a process of its own, on a free port, with its own data folder. */
export type BuiltWarden = {
  readonly url: string;
  readonly dataDir: string;
  /** Everything it has printed so far. */
  output(): string;
  /** Reads a call of the console's API, checked against its contract. */
  get<T>(path: string, contract: z.ZodType<T>): Promise<T>;
  /** Resolves with the exit code, null after a signal that cannot be handled; rejects where the process hangs. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Sends a signal that does not end it. */
  signal(name: NodeJS.Signals): void;
  /** Ends it and starts it again on the same data folder and port. */
  restart(): Promise<void>;
  /** Ends it by force, with no claim about how it ends, and removes its data. */
  dispose(): Promise<void>;
};

/** Starts `dist/server.mjs` with the given `WARDEN_…` variables; with none it runs the embedded simulated fleet. */
export async function startBuiltWarden(env: Environment = {}): Promise<BuiltWarden> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-e2e-'));
  const launch = (port: string) =>
    run(dataDir, { WARDEN_DATA_DIR: dataDir, WARDEN_DRAIN_SECONDS: '2', WARDEN_PORT: port, ...env });
  let running = await launch('0');
  return {
    get url() {
      return running.url;
    },
    dataDir,
    output: () => running.output(),
    get: async (path, contract) => contract.parse(await (await fetch(running.url + path)).json()),
    stop: (signal = 'SIGTERM') => end(running, signal),
    signal: (name) => void running.child.kill(name),
    async restart() {
      await end(running, 'SIGTERM');
      running = await launch(new URL(running.url).port);
    },
    async dispose() {
      await end(running, 'SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** How a start ended that was expected to fail: the exit code, null where it had to be ended, and all it printed. */
export async function failedStart(
  env: Environment,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lm-warden-e2e-'));
  const { child, output } = launchProcess(dataDir, { WARDEN_DATA_DIR: dataDir, WARDEN_PORT: '0', ...env });
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS);
  const code = await exit(child);
  clearTimeout(deadline);
  rmSync(dataDir, { recursive: true, force: true });
  return { code, output: output() };
}

type Launched = { readonly child: ChildProcess; output(): string };
type Running = Launched & { readonly url: string };

function run(cwd: string, env: Environment): Promise<Running> {
  const { child, output } = launchProcess(cwd, env);
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS);
    child.stdout?.on('data', () => {
      const url = /console and router on (http:\S+)/.exec(output())?.[1];
      if (url === undefined) return;
      clearTimeout(deadline);
      resolve({ child, url, output });
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened:\n${output()}`)));
  });
}

/** A test that is cut short must not leave processes behind. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** In a folder of its own, so that no `warden.yaml` of the checkout is read. */
function launchProcess(cwd: string, env: Environment): Launched {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [server], { cwd, env: { PATH, HOME, NODE_ENV: 'production', ...env } });
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { child, output: () => text };
}

async function end({ child, output }: Launched, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = exit(child);
  child.kill(signal);
  let hangs = false;
  const deadline = setTimeout(() => {
    hangs = true;
    child.kill('SIGKILL');
  }, END_WITHIN_MS);
  const code = await ended;
  clearTimeout(deadline);
  if (hangs) throw new Error(`the server was still there ${END_WITHIN_MS} ms after ${signal}:\n${output()}`);
  return code;
}

function exit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}
