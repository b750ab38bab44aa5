import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';

const hasTaskset = spawnSync('taskset', ['--version']).status === 0 && availableParallelism() > 1;
/** The measured program has a core of its own; everything that measures shares another. */
const TARGET_CORE = '1';
const BENCH_CORE = '0';

export const isPinned = hasTaskset;

/** Keeps this process to the core that does not belong to the measured program. */
export function pinSelf(): void {
  if (hasTaskset) spawnSync('taskset', ['-apc', BENCH_CORE, String(process.pid)]);
}

let priority = 0;

/** As `nice`, for this process and all it starts; below 0 it takes root. For machines that do other things as well. */
export function setNiceness(nice: number): void {
  priority = nice;
  if (nice !== 0) prioritise(process.pid);
}

function prioritise(pid: number): void {
  setPriority(pid, priority);
  // Where the kernel groups by session, a process's own niceness counts within its session only.
  quietly(() => writeFileSync(`/proc/${pid}/autogroup`, String(priority)), undefined);
}

export type Started = {
  readonly pid: number;
  output(): string;
  /** True once it has ended. */
  hasEnded(): boolean;
  stop(): Promise<void>;
};

export type StartOptions = {
  readonly core: 'target' | 'bench';
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

/** Starts a program on a core, in a process group of its own, so that all of it can be ended. */
export function start(command: readonly string[], { core, env = {}, cwd }: StartOptions): Started {
  const pinned = hasTaskset ? ['taskset', '-c', core === 'target' ? TARGET_CORE : BENCH_CORE, ...command] : command;
  const [program = '', ...args] = pinned;
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.on('error', (error) => {
    output += error.message;
  });
  if (child.pid === undefined) throw new Error(`cannot start ${command[0]}`);
  if (priority !== 0) prioritise(child.pid);
  return {
    pid: child.pid,
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: () => stopGroup(child, child.pid),
  };
}

function stopGroup(child: ChildProcess, pid: number | undefined): Promise<void> {
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const kill = setTimeout(() => process.kill(-pid, 'SIGKILL'), 5_000);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    process.kill(-pid, 'SIGTERM');
  });
}

/** Asks until it holds; the condition may throw as long as it does not. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | null> | T | null,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let reason = '';
  while (Date.now() < deadline) {
    try {
      const found = await ask();
      if (found !== null) return found;
    } catch (error) {
      reason = String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} took longer than ${timeoutMs} ms: ${reason}`);
}

/** CPU time of a process, its threads and its descendants so far, in ms (Linux's schedstat: ns, not ticks). */
export function cpuMs(pid: number): number {
  let total = 0;
  for (const member of family(pid)) total += threadsMs(member);
  return total;
}

function threadsMs(pid: number): number {
  const folder = `/proc/${pid}/task`;
  return quietly(() => readdirSync(folder), []).reduce((sum, task) => {
    const text = quietly(() => readFileSync(`${folder}/${task}/schedstat`, 'utf8'), '0');
    return sum + Number(text.split(' ')[0]) / 1e6;
  }, 0);
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

function family(pid: number): number[] {
  const children = quietly(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), '');
  return [
    pid,
    ...children
      .split(' ')
      .filter(Boolean)
      .flatMap((child) => family(Number(child))),
  ];
}

/** A thread or process may end while it is looked at. */
function quietly<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
