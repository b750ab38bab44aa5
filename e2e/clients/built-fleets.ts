import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

const worker = new URL('../../dist/fleet-worker.mjs', import.meta.url);

export type BuiltFleets = { readonly urls: readonly string[]; close(): Promise<void> };

async function startThread(workerData: object): Promise<{ readonly thread: Worker; readonly url: string }> {
  const thread = new Worker(worker, { workerData });
  const [report] = await once(thread, 'message');
  return { thread, url: String(report.url) };
}

/** Single-replica simulated engines from the build, each in a thread of its own: the several-URL shape. */
export async function startBuiltFleets(count: number): Promise<BuiltFleets> {
  const fleets = await Promise.all(Array.from({ length: count }, () => startThread({ replicas: 1 })));
  return {
    urls: fleets.map(({ url }) => url),
    close: async () => void (await Promise.all(fleets.map(({ thread }) => thread.terminate()))),
  };
}

export type MortalFleet = {
  readonly url: string;
  /** Dies with all it is doing, and is back on its port, cold, after `awayMs`. */
  dieAndComeBack(awayMs: number): Promise<void>;
  close(): Promise<void>;
};

/** One URL with four ranks that can be made to restart under its clients. */
export async function startMortalFleet(): Promise<MortalFleet> {
  const first = await startThread({});
  const port = Number(new URL(first.url).port);
  let { thread } = first;
  return {
    url: first.url,
    async dieAndComeBack(awayMs) {
      await thread.terminate();
      await pause(awayMs);
      ({ thread } = await startThread({ port }));
    },
    close: async () => void (await thread.terminate()),
  };
}
