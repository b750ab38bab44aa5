import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setPriority } from 'node:os';
import type { VllmEnvironment } from './environment.ts';

export type EngineOptions = {
  /** Data-parallel ranks behind the URL; 1 is a plain server with one API-server process. */
  readonly ranks: number;
  readonly apiKey?: string;
};

/** A real `vllm serve`, started again whenever it ends, as a supervisor would, until it is stopped. */
export type RealEngine = { readonly url: string; stop(): Promise<void> };

export const SERVED_MODEL = 'tiny';
/** The CPU attention of 0.32 takes multiples of 32 only. */
export const BLOCK_SIZE = 32;
export const MAX_NUM_SEQS = 4;
export const MAX_MODEL_LEN = 4096;
export const MAX_BATCHED_TOKENS = 2048;
/** KV cache of a rank. */
export const BLOCKS = 256;
const START_TIMEOUT_MS = 15 * 60_000;
const STOP_TIMEOUT_MS = 30_000;
const LOG_TAIL = 4000;

/** Starts an engine and waits until `GET /health` answers 200. */
export async function startEngine(environment: VllmEnvironment, options: EngineOptions): Promise<RealEngine> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let isWanted = true;
  let child = launch(environment, options, port);
  const supervise = () => {
    child.process.once('exit', () => {
      if (!isWanted) return;
      child = launch(environment, options, port);
      supervise();
    });
  };
  await waitUntilHealthy(url, child).catch(async (error: unknown) => {
    isWanted = false;
    await end(child.process);
    throw error;
  });
  supervise();
  return {
    url,
    stop: async () => {
      isWanted = false;
      await end(child.process);
    },
  };
}

type Launched = { readonly process: ChildProcess; logTail(): string };

function launch({ vllm, modelDir }: VllmEnvironment, options: EngineOptions, port: number): Launched {
  const child = spawn(vllm, serveArguments(modelDir, options, port), {
    // A group of its own, so that its many processes can be ended together.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...ENVIRONMENT },
  });
  if (child.pid !== undefined) setPriority(child.pid, 10);
  let tail = '';
  const keep = (chunk: Buffer): void => {
    tail = (tail + chunk.toString('utf8')).slice(-LOG_TAIL);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.on('error', (error) => keep(Buffer.from(error.message)));
  return { process: child, logTail: () => tail };
}

/** Offline, one thread per rank bound to nothing, and the development endpoints for `/server_info`. */
const ENVIRONMENT = {
  HF_HUB_OFFLINE: '1',
  TRANSFORMERS_OFFLINE: '1',
  VLLM_NO_USAGE_STATS: '1',
  DO_NOT_TRACK: '1',
  VLLM_CPU_KVCACHE_SPACE: '1',
  VLLM_CPU_OMP_THREADS_BIND: 'nobind',
  OMP_NUM_THREADS: '1',
  VLLM_SERVER_DEV_MODE: '1',
};

function serveArguments(modelDir: string, { ranks, apiKey }: EngineOptions, port: number): string[] {
  const flags = {
    'served-model-name': SERVED_MODEL,
    'load-format': 'dummy',
    dtype: 'float32',
    'max-model-len': MAX_MODEL_LEN,
    'max-num-seqs': MAX_NUM_SEQS,
    'max-num-batched-tokens': MAX_BATCHED_TOKENS,
    'block-size': BLOCK_SIZE,
    'num-gpu-blocks-override': BLOCKS,
    'generation-config': 'vllm',
    host: '127.0.0.1',
    port,
    ...(ranks > 1 ? { 'data-parallel-size': ranks } : {}),
    ...(apiKey === undefined ? {} : { 'api-key': apiKey }),
  };
  const pairs = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return ['serve', modelDir, '--enforce-eager', '--enable-prompt-tokens-details', ...pairs];
}

async function waitUntilHealthy(url: string, { process: child, logTail }: Launched): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`vllm serve ended:\n${logTail()}`);
    if (await isHealthy(url)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`vllm serve is not healthy after ${START_TIMEOUT_MS / 1000} s:\n${logTail()}`);
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    // Not listening yet.
    return false;
  }
}

/** Ends the whole group: politely at first. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const group = child.pid;
  process.kill(-group, 'SIGTERM');
  const force = setTimeout(() => killGroup(group), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(force);
  // What outlived its parent.
  killGroup(group);
}

/** Nothing of it gets to say goodbye. No error where it has ended already. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
