import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SimulatedFleetOptions } from './fleet-options.ts';
import type { WorkerCommand, WorkerReport } from './fleet-worker-messages.ts';

export type EmbeddedFleet = { readonly url: string; close(): Promise<void> };

/**
 * Runs a simulated fleet in a thread of its own, so that its work does not delay the router's event loop. `workerUrl`
 * is the built `fleet-worker`. Rejects where the fleet cannot start. A thread that breaks later takes the process with
 * it, as any uncaught error does.
 */
export async function startEmbeddedFleet(workerUrl: URL, options: SimulatedFleetOptions): Promise<EmbeddedFleet> {
  const worker = new Worker(workerUrl, { workerData: options });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const url = await listeningUrl(worker);
  return {
    url,
    close: async () => {
      const command: WorkerCommand = { type: 'close' };
      worker.postMessage(command);
      await exited;
    },
  };
}

async function listeningUrl(worker: Worker): Promise<string> {
  // `once` rejects on the worker's 'error' event.
  const [report]: WorkerReport[] = await once(worker, 'message');
  if (report?.type !== 'listening') throw new Error('the simulated fleet did not say where it listens');
  return report.url;
}
