import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildScript, buildStoreWorker } from '#server/store/build-worker-for-tests.ts';
import { MIGRATIONS_DIR } from '#server/store/fixtures-for-tests.ts';

/** A warden that runs as a process of its own. */
export type RunningWarden = {
  readonly child: ChildProcess;
  /** Where it listens; null where it ended before it did. */
  readonly url: Promise<string | null>;
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
};

/** Starts one on a data folder with a `warden.yaml`. */
export async function startToKill(dataDir: string): Promise<RunningWarden> {
  const script = await buildScript("import '../survival/warden-process.ts';", 'killed-warden');
  const args = [fileURLToPath(script), dataDir, (await buildStoreWorker()).href, MIGRATIONS_DIR];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const url = Promise.race([once(child.stdout, 'data').then(([chunk]) => String(chunk).trim()), gone.then(() => null)]);
  return {
    child,
    url,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
