import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const worker = new URL('../../dist/fleet-worker.mjs', import.meta.url);

export type BuiltFleets = { readonly urls: readonly string[]; close(): Promise<void> };

/** Single-replica simulated engines from the build, each in a thread of its own: the several-URL shape. */
export async function startBuiltFleets(count: number): Promise<BuiltFleets> {
  const threads = Array.from({ length: count }, () => new Worker(worker, { workerData: { replicas: 1 } }));
  const reports = await Promise.all(threads.map((thread) => once(thread, 'message')));
  return {
    urls: reports.map(([report]) => String(report.url)),
    close: async () => void (await Promise.all(threads.map((thread) => thread.terminate()))),
  };
}
