import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TestRedis = {
  readonly url: string;
  readonly port: number;
  /** Ends it at once, with all that it knew. */
  stop(): Promise<void>;
  /** Begins it again, empty, on the same port. */
  start(): Promise<void>;
  /** Stops it as a partition does: connections stay open, nobody answers. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
};

/**
 * A real server of Debian's `redis-server` (or `valkey-server`) with nothing on disk, on a free port of loopback. `options`
 * are further lines of its configuration; of one setting the last counts.
 */
export async function startRedis(
  options: readonly string[] | ((port: number) => readonly string[]) = [],
): Promise<TestRedis> {
  const port = await freePort();
  const further = typeof options === 'function' ? options(port) : options;
  return startServer(port, [`port ${port}`, 'save ""', ...further], []);
}

/** A sentinel that watches the master `main` on `masterPort`, and lets another take over within some seconds. */
export async function startSentinel(masterPort: number, options: readonly string[] = []): Promise<TestRedis> {
  const port = await freePort();
  const watching = [
    `sentinel monitor main 127.0.0.1 ${masterPort} 1`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 3000',
  ];
  return startServer(port, [`port ${port}`, ...watching, ...options], ['--sentinel']);
}

async function startServer(port: number, settings: readonly string[], flags: readonly string[]): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'warden-redis-'));
  const configuration = join(directory, 'redis.conf');
  await writeFile(configuration, ['bind 127.0.0.1', `dir ${directory}`, ...settings, ''].join('\n'));
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    child = await spawnRedis([configuration, ...flags]);
  };
  const stop = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    stop,
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    async close() {
      child?.kill('SIGCONT');
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function spawnRedis(args: readonly string[]): Promise<ChildProcess> {
  for (const command of ['redis-server', 'valkey-server']) {
    const child = spawn(command, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const isThere = await new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.stdout?.on('data', (text: Buffer) => {
        if (/Ready to accept connections|\+monitor master/.test(text.toString())) resolve(true);
      });
      child.once('exit', () => resolve(false));
    });
    if (isThere) return child;
  }
  throw new Error("the fleet's tests need redis-server or valkey-server (Debian: apt-get install redis-server)");
}

/**
 * For what has to be told its port before it opens it. Of those that the system gives to nobody by itself, so that none
 * of the many connections and servers of other tests gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
